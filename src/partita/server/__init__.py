"""HTTP: DynamoDB's protocol over sockets, signatures, health, metrics. One engine behind one event loop."""
