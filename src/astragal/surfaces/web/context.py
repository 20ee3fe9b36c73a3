"""Context of the web application: host, store, authentication, settings, live hub."""

import time
from collections.abc import Callable

from astragal.surfaces.shared import ai_seats, rate_limit
from astragal.surfaces.shared.context import AppContext
from astragal.surfaces.web import monitoring, webhooks
from astragal.surfaces.web.live import hub, presence
from astragal.surfaces.web.security.auth import PassAuth
from astragal.surfaces.web.settings import Settings
from astragal.table.host import Host
from astragal.table.log.store import Store

NUDGES = rate_limit.Pace(burst=1, per_second=1 / 20)


class WebContext(AppContext):
    """The context of the web table: besides host and store, how requests come by their seats, and who is connected.

    `ticks` gives seconds, for the pace of those who ask.
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
        self.auth, self.settings, self.ticks = auth, settings, ticks
        self.open_lan: Callable[[], Settings] | None = None
        """Starts to listen in the home network and gives the new settings; None where that can't be chosen."""
        self.table_links: dict[str, str] = {}
        """Secrets of the links to whole tables that this process made, to be shown again. The store has digests."""
        self.ai: ai_seats.AiSeats | None = None
        """AIs that this process seats at tables; None where it seats none."""
        self.webhooks: webhooks.Webhooks | None = None
        """Sends what happens to other programs, while the application runs."""
        self.hub = hub.Hub(
            host, store, presence.StoredPresence(store.passes, auth.fresh(), auth.clock), forget=auth.passes.drop
        )
        self.metrics = monitoring.Metrics(self.hub)
        self.hub.beside = self.ai_at
        self.paces = rate_limit.Buckets(settings.seat_pace, ticks)
        self.nudges = rate_limit.Buckets(NUDGES, ticks)
        """By table and seat: how often somebody is reminded of their turn."""
        self.upload_paces = rate_limit.Buckets(settings.upload_pace, ticks)

    def ai_at(self, table: str) -> tuple[ai_seats.AiStatus, ...]:
        """The AIs at a table, and what they are about."""
        return self.ai.at(table) if self.ai else ()
