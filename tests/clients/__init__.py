"""Real clients against a real server process: boto3, the AWS SDK for JavaScript and the AWS CLI."""
