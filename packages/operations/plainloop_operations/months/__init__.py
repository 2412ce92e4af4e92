"""Growing tables partitioned by month. `partitions` is the hook `months` of the service."""
