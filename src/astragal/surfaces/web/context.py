"""Context of the web application: host, store, authentication, settings, live hub."""

import time
from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool

from astragal.surfaces.shared import ai_seats, pictures, rate_limit
from astragal.surfaces.shared.context import AppContext
from astragal.surfaces.web import monitoring, webhooks
from astragal.surfaces.web.live import hub, presence
from astragal.surfaces.web.security.auth import PassAuth
from astragal.surfaces.web.settings import Settings
from astragal.table.host import Host
from astragal.table.log.store import Store

NUDGES = rate_limit.Pace(burst=1, per_second=1 / 20)


ReencodePicture = Callable[[bytes, int], Awaitable[bytes]]
"""Re-encodes an untrusted picture as WebP, with a longest side, or refuses it."""


async def reencode_in_a_process(data: bytes, side: int) -> bytes:
    return await run_in_threadpool(pictures.reencode_untrusted, data, side)


class WebContext(AppContext):
    """Context of the web table: besides host and store, authentication, settings, the live hub and rate limits.

    `ticks` is a clock in seconds, for the rate limits.
    """

    def __init__(
        self,
        host: Host,
        store: Store,
        auth: PassAuth,
        settings: Settings,
        *,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(host, store)
        self.auth = auth
        self.settings = settings
        self.ticks = ticks
        self.open_lan: Callable[[], Settings] | None = None
        """Starts listening in the home network and returns the new settings; None if that can't be chosen."""
        self.ai: ai_seats.AiSeats | None = None
        """AIs that this process seats at tables; None if it seats none."""
        self.webhooks: webhooks.Webhooks | None = None
        """Sends events to other programs while the application runs."""
        self.reencode_picture: ReencodePicture = reencode_in_a_process
        """Makes pictures from outside anew. Inside a page, the browser does."""
        self.hub = hub.Hub(
            host, store, presence.StoredPresence(store.passes, auth.fresh(), auth.clock), forget=auth.passes.drop
        )
        self.metrics = monitoring.Metrics(self.hub)
        self.hub.beside = self.ai_at
        self.paces = rate_limit.Buckets(settings.seat_pace, ticks)
        self.nudges = rate_limit.Buckets(NUDGES, ticks)
        """Rate limit of reminders, by table and seat."""
        self.upload_paces = rate_limit.Buckets(settings.upload_pace, ticks)
        self.effort = rate_limit.Effort(settings.effort_pace, ticks)
        """Processor time for odds, by table and seat: odds of many dice can take seconds, in which others wait."""

    def ai_at(self, table: str) -> tuple[ai_seats.AiStatus, ...]:
        """The AIs at a table, and what they are doing."""
        return self.ai.at(table) if self.ai else ()
