"""The JSON that the careers routes take and give; OpenAPI is made from these types."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.structs import fields

from plainloop_documents.reading.pay import Period

from ..jobs.pages import Currency, JobFilter, Salary
from ..jobs.status import Status
from ..tools_jobs import Fit, RemoteType

Line = Annotated[str, Meta(max_length=1_000)]
Name = Annotated[str, Meta(min_length=1, max_length=300)]
Text = Annotated[str, Meta(max_length=100_000)]
Limit = Annotated[int, Meta(ge=1, le=200)]
Version = Annotated[int, Meta(ge=1, le=2_147_483_647)]
JobSort = Literal[
    "created_at", "updated_at", "applied_at", "company", "title", "status", "salary", "fit"
]
Order = Literal["asc", "desc"]
DocumentKind = Literal["cover_letter", "follow_up", "thank_you", "other"]


class Job(Struct):
    """A job of the tracker; null: not known."""

    job_id: int
    company: str
    title: str
    status: Status
    url: str | None
    location: str | None
    remote_type: RemoteType | None
    salary_min: float | None
    salary_max: float | None
    salary_currency: str | None  # EUR, as ISO 4217 has it; a mere $, ¥ or kr where no more is known
    salary_period: Period | None  # what it is paid for
    tags: str | None  # "css, html"
    contact_name: str | None
    contact_email: str | None
    source: str | None
    requirements: str | None  # one a line
    nice_to_haves: str | None
    notes: str | None
    job_fit: int | None  # 0..5
    applied_at: datetime | None  # when it first left "saved"
    created_at: datetime
    updated_at: datetime


class ChangedJob(Job):
    """A job after a change, with what a move back took from its history."""

    taken_back: dict[Status, datetime]  # statuses that it had reached within the last day


class JobStatus(Struct):
    """A status that a job has reached."""

    status: Status
    reached_at: datetime | None  # null: before dates were stored


class JobHistory(Struct):
    statuses: list[JobStatus]  # from "saved" on


class JobPage(Struct):
    jobs: list[Job]
    total: int  # how many match in all
    next_cursor: str | None  # null: this is the last page


class NewJob(Struct, forbid_unknown_fields=True):
    company: Name
    title: Name
    status: Status = "saved"
    url: Line | None = None
    location: Line | None = None
    remote_type: RemoteType | None = None
    salary_min: Salary | None = None
    salary_max: Salary | None = None
    salary_currency: Currency | None = None
    salary_period: Period | None = None
    tags: Line | None = None
    contact_name: Line | None = None
    contact_email: Line | None = None
    source: Line | None = None
    requirements: Text | None = None
    nice_to_haves: Text | None = None
    notes: Text | None = None
    job_fit: Fit | None = None


# Every field of `NewJob`, none of them required.
_JobFields: Any = defstruct(
    "JobFields", [(item.name, item.type | UnsetType, UNSET) for item in fields(NewJob)]
)


class UndoneChange(Struct, forbid_unknown_fields=True):
    """A change that is taken back: `updated_at` becomes what it was, if it was the last change."""

    updated_at: Annotated[datetime, Meta(tz=True)]  # as the change set it
    before: Annotated[datetime, Meta(tz=True)]  # as it was


class JobChange(_JobFields, Struct, forbid_unknown_fields=True):
    """Changes a job: what is not named stays; null empties a field."""

    # Statuses that it has reached: restores what a move back took, by its `taken_back`.
    reached: dict[Status, Annotated[datetime, Meta(tz=True)]] | UnsetType = UNSET
    undone: UndoneChange | UnsetType = UNSET


class JobQuery(JobFilter):
    sort: JobSort = "created_at"
    order: Order = "desc"
    limit: Limit = 50
    cursor: str | None = None


class StatsQuery(Struct):
    weeks: Annotated[int, Meta(ge=1, le=104)] = 12


class Week(Struct):
    week: date  # its Monday
    saved: int  # jobs that came into the tracker
    applied: int  # applications sent


class JobStats(Struct):
    total: int
    by_status: dict[str, int]
    applications: int  # ever sent
    responses: int  # of those: interview, offer or rejection
    response_rate: float | None  # 0..1; null without an application
    per_week: list[Week]  # oldest first, empty weeks included


class RejectedRow(Struct):
    row: int  # 1 is the first below the head
    error: str


class SheetColumn(Struct):
    """A column of a sheet, and what it fills."""

    name: str
    field: str  # of the tracker; "notes": kept there under its name
    sample: str  # the first value in it
    is_known: bool  # false: nobody said what it is, so it only goes to the notes


class ImportReport(Struct):
    created: list[int]  # job ids
    updated: list[int]  # in the tracker already: what was empty or older there was filled in
    known: list[int]  # in the tracker already, by URL, else company, title and place; as they were
    rejected: list[RejectedRow]
    noted: list[RejectedRow]  # values that are not certain and went to the notes
    columns: list[SheetColumn]  # of a sheet


class FoundJob(Struct):
    """A job as a file says it, before it is stored: what a form begins with."""

    fields: dict[str, Any]  # names of `NewJob`, and applied_at, created_at, updated_at
    is_whole: bool  # false: its company or title has to be added


class ImportPreview(Struct):
    """Shows what an import would store."""

    jobs: list[FoundJob]  # the first of them
    total: int
    rejected: list[RejectedRow]
    noted: list[RejectedRow]
    columns: list[SheetColumn]
    fields: list[str]  # what a column can be mapped to


class ImportQuery(Struct):
    filename: str | None = None  # of a body that is the file
    mapping: str | None = None  # JSON: {"columns": {name: field}, "statuses": {text: status}}


class ResumeCheck(Struct):
    """Something uncertain, beside the field that it is about."""

    path: str | None  # `work[0].position`; null: no single field
    message: str
    line: int | None  # where the file says it
    source: str  # that line; "": none


class Resume(Struct):
    version: int
    name: str
    format: Literal["json", "markdown", "text", "pdf", "docx"]
    raw_text: str
    data: dict[str, Any] | None  # JSON Resume; null: not parsed yet
    is_corrected: bool  # a person wrote `data`
    please_check: list[str]  # what is uncertain in `data`, a sentence each
    checks: list[ResumeCheck]  # the same by field
    created_at: datetime


class ResumeVersion(Struct):
    version: int
    name: str
    format: str
    is_parsed: bool
    is_corrected: bool
    same_as: int | None  # the earlier version with the same file and data, such as one used again
    created_at: datetime


class ResumeVersions(Struct):
    versions: list[ResumeVersion]  # newest first; the first one counts


class UploadedResume(Struct):
    version: int
    name: str
    format: str
    characters: int
    is_parsed: bool  # false: `POST /api/resume/parse` structures it
    please_check: list[str]  # what is uncertain in the structure, a sentence each
    replaces_correction: int | None  # the corrected version that counted until now


class VersionQuery(Struct):
    version: Version | None = None  # null: the newest


class ParseOrder(Struct, forbid_unknown_fields=True):
    version: Version | None = None


class ResumeChoice(Struct, forbid_unknown_fields=True):
    version: Version  # the one to use


class ResumeCorrection(Struct, forbid_unknown_fields=True):
    data: dict[str, Any]  # a whole JSON Resume
    version: Version | None = None  # which one it corrects; null: the newest


class ResumeChange(Struct, forbid_unknown_fields=True):
    """`{"set": {"basics.name": "Ann Lee", "work[0].endDate": null, "skills[+]": {…}}}`"""

    set: dict[str, Any]  # place → value; null takes it away, [+] is one more
    version: Version | None = None  # which one it corrects; null: the newest


class LatestVersion(Struct):
    """How the latest version of a document stands."""

    run_id: str | None  # the run that wrote it
    passed: bool | None  # null: nothing has checked it
    claims: int  # sentences that have a source
    problems: int  # claims that have none


class WrittenVersion(Struct):
    """A version that a run wrote; it stays that run's when another one writes the next."""

    version: int
    run_id: str
    claims: int  # sentences that have a source
    problems: int  # claims that have none
    newer: str = ""  # for people: which version is newer; "": none is


class DocumentHead(Struct):
    document_id: int
    kind: DocumentKind
    title: str
    job_id: int | None
    company: str | None
    latest_version: int
    latest: LatestVersion | None
    written: list[WrittenVersion]  # the newest first
    created_at: datetime
    updated_at: datetime


class DocumentPage(Struct):
    documents: list[DocumentHead]
    next_cursor: str | None


class DocumentQuery(Struct):
    job_id: Version | None = None
    kind: DocumentKind | None = None
    limit: Limit = 50
    cursor: str | None = None


class Document(Struct):
    document_id: int
    kind: str
    title: str
    job_id: int | None
    company: str | None
    latest_version: int
    version: int
    content: str  # Markdown
    letterhead: str  # of a cover letter: sender, date and subject; "": it has its own
    sources: list[dict[str, Any]]  # per factual sentence: {"sentence", "sources": [paths]}
    passed: bool | None  # null: nothing has checked it
    problems: list[str]  # what the check found unsupported
    run_id: str | None  # the run that wrote it
    created_at: datetime


class NewDocument(Struct, forbid_unknown_fields=True):
    title: Name
    content: Annotated[str, Meta(min_length=1, max_length=100_000)]
    kind: DocumentKind = "other"
    job_id: Version | None = None


class NewVersion(Struct, forbid_unknown_fields=True):
    content: Annotated[str, Meta(min_length=1, max_length=100_000)]


class DocumentVersion(Struct):
    version: int
    passed: bool | None
    run_id: str | None
    created_at: datetime


class DocumentVersions(Struct):
    versions: list[DocumentVersion]  # newest first


class ExportQuery(VersionQuery):
    format: Literal["md", "docx", "pdf"] = "pdf"
    letterhead: bool = False  # put the letterhead above the letter


class ProfileSection(Struct):
    name: str  # its heading; "": what stands above the first one
    text: str  # Markdown
    is_topic: bool  # the interview asks for it


class Profile(Struct):
    content: str  # Markdown
    sections: list[ProfileSection]  # the same by heading, without empty ones
    onboarded: bool  # the interview is done
    updated_at: datetime | None  # null: there is no profile yet


class InterviewTopic(Struct):
    name: str
    about: str  # what is asked
    answer: str  # as the profile has it; "": it is open or skipped
    is_skipped: bool = False  # the user left it out


class InterviewState(Struct):
    """How far the profile interview is: what the profile says is answered, whoever wrote it."""

    topics: list[InterviewTopic]
    onboarded: bool  # the interview is done
    answered: int  # topics with an answer
    skipped: int  # topics that the user left out; the interview ends when the others are answered


class ProfileChange(Struct, forbid_unknown_fields=True):
    """`{"name": "Salary", "text": "90k"}`"""

    name: Line  # a topic, or another heading; "": what stands above the first one
    text: Annotated[str, Meta(max_length=20_000)]  # Markdown; "" removes the section


class NewProfile(Struct, forbid_unknown_fields=True):
    content: Annotated[str, Meta(max_length=20_000)]


class Contact(Struct):
    contact_id: int
    name: str | None
    email: str | None
    company: str | None
    notes: str | None


class Contacts(Struct):
    contacts: list[Contact]
    total: int


class ContactQuery(Struct):
    name: str | None = None
    company: str | None = None
    limit: Limit = 100


class Company(Struct):
    company_id: int
    name: str
    url: str | None
    notes: str | None
    jobs: int


class Companies(Struct):
    companies: list[Company]
    total: int


class CompanyQuery(Struct):
    name: str | None = None
    limit: Limit = 100
