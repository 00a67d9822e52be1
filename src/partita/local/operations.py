"""A method for each operation. Written by `tools/make_operations.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from partita.local import parameters as of


class Operations:
    """What `call` does, as a method for each operation."""

    def call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def batch_get_item(self, **request: Unpack[of.BatchGetItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html"""
        return self.call("BatchGetItem", request)

    def batch_write_item(self, **request: Unpack[of.BatchWriteItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"""
        return self.call("BatchWriteItem", request)

    def create_table(self, **request: Unpack[of.CreateTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html"""
        return self.call("CreateTable", request)

    def delete_item(self, **request: Unpack[of.DeleteItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html"""
        return self.call("DeleteItem", request)

    def delete_table(self, **request: Unpack[of.DeleteTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html"""
        return self.call("DeleteTable", request)

    def describe_continuous_backups(self, **request: Unpack[of.DescribeContinuousBackups]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContinuousBackups.html"""
        return self.call("DescribeContinuousBackups", request)

    def describe_endpoints(self, **request: Unpack[of.DescribeEndpoints]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeEndpoints.html"""
        return self.call("DescribeEndpoints", request)

    def describe_limits(self, **request: Unpack[of.DescribeLimits]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html"""
        return self.call("DescribeLimits", request)

    def describe_table(self, **request: Unpack[of.DescribeTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html"""
        return self.call("DescribeTable", request)

    def describe_time_to_live(self, **request: Unpack[of.DescribeTimeToLive]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html"""
        return self.call("DescribeTimeToLive", request)

    def get_item(self, **request: Unpack[of.GetItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html"""
        return self.call("GetItem", request)

    def list_tables(self, **request: Unpack[of.ListTables]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html"""
        return self.call("ListTables", request)

    def list_tags_of_resource(self, **request: Unpack[of.ListTagsOfResource]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html"""
        return self.call("ListTagsOfResource", request)

    def put_item(self, **request: Unpack[of.PutItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html"""
        return self.call("PutItem", request)

    def query(self, **request: Unpack[of.Query]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html"""
        return self.call("Query", request)

    def scan(self, **request: Unpack[of.Scan]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html"""
        return self.call("Scan", request)

    def tag_resource(self, **request: Unpack[of.TagResource]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html"""
        return self.call("TagResource", request)

    def transact_get_items(self, **request: Unpack[of.TransactGetItems]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html"""
        return self.call("TransactGetItems", request)

    def transact_write_items(self, **request: Unpack[of.TransactWriteItems]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html"""
        return self.call("TransactWriteItems", request)

    def untag_resource(self, **request: Unpack[of.UntagResource]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UntagResource.html"""
        return self.call("UntagResource", request)

    def update_item(self, **request: Unpack[of.UpdateItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html"""
        return self.call("UpdateItem", request)

    def update_table(self, **request: Unpack[of.UpdateTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html"""
        return self.call("UpdateTable", request)

    def update_time_to_live(self, **request: Unpack[of.UpdateTimeToLive]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html"""
        return self.call("UpdateTimeToLive", request)


class AsyncOperations:
    """What `call` does, awaited, as a method for each operation."""

    async def call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    async def batch_get_item(self, **request: Unpack[of.BatchGetItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html"""
        return await self.call("BatchGetItem", request)

    async def batch_write_item(self, **request: Unpack[of.BatchWriteItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"""
        return await self.call("BatchWriteItem", request)

    async def create_table(self, **request: Unpack[of.CreateTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html"""
        return await self.call("CreateTable", request)

    async def delete_item(self, **request: Unpack[of.DeleteItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html"""
        return await self.call("DeleteItem", request)

    async def delete_table(self, **request: Unpack[of.DeleteTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html"""
        return await self.call("DeleteTable", request)

    async def describe_continuous_backups(
        self, **request: Unpack[of.DescribeContinuousBackups]
    ) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContinuousBackups.html"""
        return await self.call("DescribeContinuousBackups", request)

    async def describe_endpoints(self, **request: Unpack[of.DescribeEndpoints]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeEndpoints.html"""
        return await self.call("DescribeEndpoints", request)

    async def describe_limits(self, **request: Unpack[of.DescribeLimits]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html"""
        return await self.call("DescribeLimits", request)

    async def describe_table(self, **request: Unpack[of.DescribeTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html"""
        return await self.call("DescribeTable", request)

    async def describe_time_to_live(self, **request: Unpack[of.DescribeTimeToLive]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html"""
        return await self.call("DescribeTimeToLive", request)

    async def get_item(self, **request: Unpack[of.GetItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html"""
        return await self.call("GetItem", request)

    async def list_tables(self, **request: Unpack[of.ListTables]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html"""
        return await self.call("ListTables", request)

    async def list_tags_of_resource(self, **request: Unpack[of.ListTagsOfResource]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html"""
        return await self.call("ListTagsOfResource", request)

    async def put_item(self, **request: Unpack[of.PutItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html"""
        return await self.call("PutItem", request)

    async def query(self, **request: Unpack[of.Query]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html"""
        return await self.call("Query", request)

    async def scan(self, **request: Unpack[of.Scan]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html"""
        return await self.call("Scan", request)

    async def tag_resource(self, **request: Unpack[of.TagResource]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html"""
        return await self.call("TagResource", request)

    async def transact_get_items(self, **request: Unpack[of.TransactGetItems]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html"""
        return await self.call("TransactGetItems", request)

    async def transact_write_items(self, **request: Unpack[of.TransactWriteItems]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html"""
        return await self.call("TransactWriteItems", request)

    async def untag_resource(self, **request: Unpack[of.UntagResource]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UntagResource.html"""
        return await self.call("UntagResource", request)

    async def update_item(self, **request: Unpack[of.UpdateItem]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html"""
        return await self.call("UpdateItem", request)

    async def update_table(self, **request: Unpack[of.UpdateTable]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html"""
        return await self.call("UpdateTable", request)

    async def update_time_to_live(self, **request: Unpack[of.UpdateTimeToLive]) -> dict[str, Any]:
        """https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html"""
        return await self.call("UpdateTimeToLive", request)
