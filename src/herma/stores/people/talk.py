"""Codes that let people in, and the turns, sessions and jobs that say who is behind a call."""

from collections.abc import Sequence

from herma.core.people.records import Invite, Session, SpokenIn, Turn
from herma.stores.people import statements as sql
from herma.stores.people.part import Part

__all__ = ["Codes", "Talk"]


class Codes(Part):
    """Single-use codes and the attempts at them."""

    __slots__ = ()

    def put_invite(self, invite: Invite) -> None:
        """Keep a new code."""
        self.do(sql.PUT_INVITE, *invite)

    def invites(self, *, now: int) -> Sequence[Invite]:
        """Codes that are neither used nor over."""
        return [Invite(*row) for row in self.rows(sql.INVITES, now)]

    def use_invite(self, code: str, *, account: str, now: int) -> bool:
        """Spend a code for this account; False when somebody else was faster or it is over."""
        return self.value(sql.USE_INVITE, account, now, code, now) is not None

    def wrong_code(self, account: str, day: str) -> int:
        """Count a wrong code of this account on this UTC day; how many by now."""
        return int(self.value(sql.WRONG, account, day))

    def wrong_codes(self, account: str, day: str) -> int:
        """How many wrong codes this account sent on this UTC day."""
        return self.value(sql.WRONGS, account, day) or 0


class Talk(Part):
    """Turns, sessions, conversations and scheduled jobs."""

    __slots__ = ()

    def add_turn(self, turn: Turn) -> None:
        """Keep a turn and its speaker; a turn id that is known already keeps its first row."""
        if self.value(sql.ADD_TURN, *turn) is not None:
            speaker = turn.person_id or turn.account
            if speaker:
                self.do(sql.SPEAKER, turn.session_id, speaker)

    def turn(self, session_id: str, turn_id: str) -> Turn | None:
        """A turn of a session."""
        row = self.do(sql.TURN, session_id, turn_id).fetchone()
        return None if row is None else Turn(*row)

    def spoken(self, person_id: str) -> Sequence[SpokenIn]:
        """Every session in which this person spoke themselves, and from when to when."""
        return [SpokenIn(*row) for row in self.rows(sql.SPOKEN, person_id, person_id, person_id)]

    def session(self, session_id: str) -> Session | None:
        """A session by its id; its speakers are those of its whole conversation."""
        row = self.do(sql.SESSION, session_id).fetchone()
        return None if row is None else Session(*row)

    def speakers(self, session_id: str) -> Sequence[str]:
        """Everybody whose words a session carries, by person, or by account where nobody on the roster had it."""
        return [row[0] for row in self.rows(sql.SPEAKERS, session_id, session_id)]

    def put_session(self, session: Session, at: int) -> None:
        """Keep a session. One that was ended opens again only for another conversation."""
        self.do(
            sql.PUT_SESSION,
            session.session_id,
            session.person_id,
            session.conversation,
            session.platform,
            session.chat,
            at,
        )

    def conversation(self, chat: str) -> str:
        """The conversation that is open in this chat; empty when none is."""
        return (self.value(sql.CONVERSATION, chat) or "") if chat else ""

    def end_conversation(self, session_id: str, at: int) -> str:
        """Close the conversation of this session, with all of its sessions; its id, empty when none was open."""
        ended = self.do(sql.END_CONVERSATION, at, session_id).fetchall()
        return ended[0][0] if ended else ""

    def put_job(self, job_id: str, person_id: str, at: int) -> None:
        """Remember who made a scheduled job; the first row of a job stays."""
        self.do(sql.PUT_JOB, job_id, person_id, at)

    def job(self, job_id: str) -> str:
        """Who made a scheduled job; empty when nobody is known."""
        return self.value(sql.JOB, job_id) or ""
