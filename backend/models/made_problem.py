"""Problems that people made: clusters merged to one, or cases split off from one."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Integer
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class MadeProblem(HasId, HasCreatedAt, Base):
    """A problem that a curator made; its key is `made:` and the number.

    Attributes:
        author: Name of the author at the time.
    """

    __tablename__ = "made_problem"

    number: Mapped[int] = mapped_column(Integer, Identity(always=True), unique=True)
    title: Mapped[str]
    author: Mapped[str]


class ProblemPart(Base):
    """What belongs to a made problem.

    Attributes:
        part: Key of a cluster or of another made problem, or `case:` and the id of a case that was split off.
    """

    __tablename__ = "problem_part"

    part: Mapped[str] = mapped_column(primary_key=True)
    problem_id: Mapped[UUID] = mapped_column(ForeignKey("made_problem.id", ondelete="CASCADE"), index=True)
