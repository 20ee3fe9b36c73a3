"""The web application: routes, middleware, templates, lifespan."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Protocol

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.errors import HANDLED_ERRORS, answer_to
from astragal.surfaces.web.monitoring import MonitoringMiddleware
from astragal.surfaces.web.rendering import VersionedFiles, environment
from astragal.surfaces.web.routes import routers
from astragal.surfaces.web.routes.api import PlainCommands
from astragal.surfaces.web.security.devices import DeviceMiddleware
from astragal.surfaces.web.security.middleware import SecurityMiddleware

COMPRESSION = 5
"""Gzip level: nearly as small as 9, in a third of the time. Starlette never compresses streams."""

NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
"""Turns off OpenTelemetry, which FastAPI would look for at each request. We have metrics of our own."""


class MountedApp(Protocol):
    """Another ASGI application at one address of this one, behind the same middleware, such as an MCP server.

    It starts and stops with this one: `open()` is entered for the application's lifespan.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send, /) -> None: ...

    def open(self) -> AbstractAsyncContextManager[None]: ...


def create_app(context: WebContext, mounts: Mapping[str, MountedApp] | None = None) -> FastAPI:
    """Create the application for a context. Routes are plain functions, run in threads: the host is synchronous."""
    mounts = mounts or {}

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if context.ai is not None:
                await asyncio.to_thread(context.ai.open)
                stack.push_async_callback(asyncio.to_thread, context.ai.close)
            if context.webhooks is not None:
                context.webhooks.start()
                stack.push_async_callback(asyncio.to_thread, context.webhooks.close)
            await stack.enter_async_context(context.hub.open())
            for mounted in mounts.values():
                await stack.enter_async_context(mounted.open())
            yield

    app = FastAPI(
        title="Astragal", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan, telemetry=NO_TELEMETRY
    )
    app.state.context = context
    files = VersionedFiles()
    app.state.version = files.version
    app.state.templates = environment(context.settings.path, files.version, in_page=context.settings.in_page)
    for fault in HANDLED_ERRORS:
        app.add_exception_handler(fault, answer_to)
    for router in routers(
        has_lab=not context.settings.in_page
    ):  # `include_router` would build each route again at the first request
        app.router.routes.extend(router.routes)
    app.mount("/static/{version}", files)
    app.router.routes.extend(Route(path, mounted) for path, mounted in mounts.items())
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=COMPRESSION)
    app.add_middleware(PlainCommands)
    app.add_middleware(DeviceMiddleware, auth=context.auth, settings=lambda: context.settings)
    app.add_middleware(SecurityMiddleware, settings=lambda: context.settings, clock=context.ticks)
    app.add_middleware(MonitoringMiddleware, metrics=context.metrics)
    return app
