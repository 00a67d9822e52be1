"""What a request costs: `python -m bench --help`. The figure that counts is the server's CPU µs a request."""
