"""Section 18: Streams; it comes later."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.table import later, section

SECTION = section(
    18,
    "Streams",
    later("18.1", "A", "Event names: INSERT, MODIFY, REMOVE."),
    later(
        "18.2",
        "A",
        "A write that changes nothing (identical put, update to the same values, delete of an absent item) makes no record.",
    ),
    later(
        "18.3",
        "A",
        "Record fields: eventID, eventName, eventVersion, eventSource `aws:dynamodb`, awsRegion, dynamodb.",
    ),
    later(
        "18.4",
        "A",
        "dynamodb part: Keys, SequenceNumber (decimal string), SizeBytes, StreamViewType, ApproximateCreationDateTime, and images.",
    ),
    later(
        "18.5",
        "A",
        "KEYS_ONLY: no images. NEW_IMAGE: NewImage only. OLD_IMAGE: OldImage only. NEW_AND_OLD_IMAGES: both.",
    ),
    later("18.6", "A", "INSERT never has OldImage; REMOVE never has NewImage."),
    later("18.7", "A", "Images contain the keys."),
    later("18.8", "D", "Sequence numbers increase within one item's records."),
    later(
        "18.9",
        "D",
        "GetShardIterator types: TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER.",
    ),
    later("18.10", "A", "AT/AFTER need SequenceNumber (ValidationException without)."),
    later(
        "18.11",
        "A",
        "Unknown stream or shard: ResourceNotFoundException; malformed ARN: ValidationException.",
    ),
    later("18.12", "A", "ShardId length is 28 to 65 characters."),
    later("18.13", "A", "A malformed ShardIterator is a ValidationException."),
    later("18.14", "D", "Iterators live 15 minutes, then ExpiredIteratorException."),
    later("18.15", "D", "Records live 24 hours; older sequence numbers give TrimmedDataAccessException."),
    later(
        "18.16",
        "A",
        "GetRecords Limit is 1 to 1000; NextShardIterator is absent once a closed shard is exhausted, otherwise present even with no records.",
    ),
    later(
        "18.17",
        "A",
        "DescribeStream gives StreamArn, StreamLabel, StreamStatus, StreamViewType, TableName, KeySchema, Shards, CreationRequestDateTime.",
    ),
    later("18.18", "D", "A disabled stream has StreamStatus DISABLED and stays readable for 24 hours."),
    later("18.19", "A", "ListStreams without TableName lists all; LastEvaluatedStreamArn only if more."),
    later(
        "18.20",
        "D",
        'TTL deletions appear as REMOVE with userIdentity `{"type":"Service","principalId":"dynamodb.amazonaws.com"}`.',
    ),
)
