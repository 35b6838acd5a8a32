"""Starts the server of the working folder, lists its tools, and calls some; run by test_hosts.py, which has no MCP."""

import json
import os
import sys
from typing import Any

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def _say(calls: list[tuple[str, dict[str, Any]]]) -> None:
    server = StdioServerParameters(command=sys.executable, args=["server.py"], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        started = await session.initialize()
        tools = await session.list_tools()
        results = [await session.call_tool(name, given) for name, given in calls]
    said = {
        "server": started.server_info.name,
        "tools": [tool.model_dump(mode="json") for tool in tools.tools],
        "results": [result.model_dump(mode="json") for result in results],
    }
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    anyio.run(_say, json.loads(sys.argv[1]))
