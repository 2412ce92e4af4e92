"""Contacts and companies by their tools; another's are never seen or changed."""

from __future__ import annotations

from pathlib import Path

import plainloop_careers as careers
from packages.careers.tests.context import call_tool, make_context
from plainloop.agent.store.store import Store


async def test_contact_tools_save_change_and_list_a_contact(store: Store) -> None:
    ctx = await make_context(store)
    made = await call_tool(ctx, "save_contact", name="Ann  Lee", company="Acme")
    changed = await call_tool(
        ctx, "save_contact", name="ann lee", company="ACME", email="a@x.org", notes=" met\nher "
    )
    again = await call_tool(ctx, "save_contact", name="Ann Lee", company="Acme", email="b@x.org")
    await call_tool(ctx, "save_contact", email="bob@acme.example")
    listed = await call_tool(ctx, "list_contacts", company="acm")

    assert made.result == {"contact": {"contact_id": 1, "name": "Ann Lee", "company": "Acme"}}
    full = {**made.result["contact"], "email": "a@x.org", "notes": "met\nher"}
    assert changed.result == {"contact": full}
    assert again.result == {"contact": {**full, "email": "b@x.org"}}
    assert listed.result == {"contacts": [{**full, "email": "b@x.org"}], "total": 1}
    by_mail = await call_tool(ctx, "list_contacts", name="BOB@")
    assert by_mail.result["contacts"] == [{"contact_id": 2, "email": "bob@acme.example"}]


async def test_a_contact_can_be_named_by_a_unique_name_alone(store: Store) -> None:
    ctx = await make_context(store)
    await call_tool(ctx, "save_contact", name="Ann Lee", company="Acme", email="a@x.org")
    changed = await call_tool(ctx, "save_contact", name="ann lee", email="b@x.org")
    assert changed.result["contact"]["contact_id"] == 1
    assert changed.result["contact"]["email"] == "b@x.org"

    await call_tool(ctx, "save_contact", name="Ann Lee", company="Beta")
    made = await call_tool(ctx, "save_contact", name="Ann Lee", email="c@x.org")
    assert made.result["contact"] == {"contact_id": 3, "name": "Ann Lee", "email": "c@x.org"}


async def test_a_contact_needs_a_name_or_an_email_address(store: Store) -> None:
    outcome = await call_tool(await make_context(store), "save_contact", company="Acme", name=" ")

    assert outcome.result == {"error": "give at least a name or an e-mail address"}


async def test_company_tools_save_change_and_list_companies_with_jobs(store: Store) -> None:
    ctx = await make_context(store)
    await call_tool(ctx, "create_job", company="Acme", title="Cook")
    await call_tool(ctx, "create_job", company="acme", title="Chef")
    saved = await call_tool(ctx, "save_company", name="ACME", url="https://acme.example", notes="x")
    await call_tool(ctx, "save_company", name="Beta")
    listed = await call_tool(ctx, "list_companies")

    acme = {"company_id": 1, "name": "Acme", "url": "https://acme.example", "notes": "x"}
    assert saved.result == {"company": acme}
    assert listed.result == {
        "companies": [{**acme, "jobs": 2}, {"company_id": 2, "name": "Beta", "jobs": 0}],
        "total": 2,
    }
    assert (await call_tool(ctx, "list_companies", name="bet")).result["total"] == 1
    assert (await call_tool(ctx, "save_company", name=" ")).is_error


async def test_fields_read_from_a_page_stay_marked_as_untrusted(store: Store) -> None:
    ctx = await make_context(store)
    await call_tool(ctx, "save_contact", name="Ann Lee", company="Acme", notes="met her")
    page = {"contact_name": "Ann Lee", "contact_email": "ann@evil.example"}
    await call_tool(ctx, "create_job", True, company="Acme", title="Cook", **page)
    await call_tool(ctx, "save_contact", True, name="Bob", company="Beta", email="b@evil.example")
    await call_tool(ctx, "save_company", True, name="Acme", url="https://evil.example")
    await call_tool(ctx, "save_company", name="Gamma", notes="the user's own")
    contacts = await call_tool(ctx, "list_contacts")
    companies = await call_tool(ctx, "list_companies")

    assert [*contacts.outside] == [
        *("contacts/0/email", "contacts/1/company", "contacts/1/email", "contacts/1/name")
    ]
    assert [*companies.outside] == ["companies/0/name", "companies/0/url"]
    assert {"untrusted"} < contacts.result.keys() and {"untrusted"} < companies.result.keys()
    await call_tool(ctx, "save_contact", name="Ann Lee", company="Acme", email="ann@acme.example")
    again = await call_tool(ctx, "list_contacts", name="ann")
    assert (again.outside, again.result["contacts"][0]["email"]) == ([], "ann@acme.example")
    assert "untrusted" not in again.result


async def test_older_rows_inherit_the_untrusted_mark_of_their_job(store: Store) -> None:
    ctx = await make_context(store)
    for company, is_tainted in (("Acme", True), ("Beta", False)):
        await call_tool(
            ctx, "create_job", is_tainted, company=company, title="Cook", contact_name="Ann"
        )
    path = Path(careers.__file__).parent / "migrations" / "0092_careers_row_marks.sql"
    fill = path.read_text(encoding="utf-8").partition("-- Until now")[2].partition("\n")[2]
    async with store.transaction("t1") as db:
        for table in ("careers_contacts", "careers_companies"):
            await db.execute(f"update {table} set outside = '{{}}'")
        for statement in fill.split(";")[:2]:
            await db.execute(statement)
        found = await db.fetch("select company, outside from careers_contacts order by company")
    async with store.transaction("t1") as db:
        places = await db.fetch("select name, outside from careers_companies order by name")

    assert [bool(row["outside"]) for row in (*found, *places)] == [True, False, True, False]


async def test_deleting_a_job_keeps_its_letter(store: Store) -> None:
    from plainloop_careers import store as careers

    ctx = await make_context(store)
    await call_tool(ctx, "create_job", company="Acme", title="Cook")
    async with store.transaction("t1") as db:
        letter, _ = await careers.save_document(
            db, ("t1", "u1"), kind="cover_letter", title="Letter", content="Dear", job_id=1
        )
    gone = await call_tool(ctx, "delete_job", job_id=1)
    again = await call_tool(ctx, "delete_job", job_id=1)

    job = {"job_id": 1, "company": "Acme", "title": "Cook", "status": "saved"}
    assert gone.result == {"deleted": job}
    assert again.result == {"error": "there is no job 1; list_jobs shows the ids"}
    kept = await careers.load_document(store.read("t1"), ("t1", "u1"), letter)
    assert kept is not None
    assert (kept["content"], kept["job_id"]) == ("Dear", None)


async def test_contacts_are_invisible_to_other_users_and_tenants(store: Store) -> None:
    mine = await make_context(store)
    await call_tool(mine, "create_job", company="Acme", title="Cook", contact_name="Ann")
    for owner in (("t1", "u2"), ("t2", "u1")):
        theirs = await make_context(store, *owner)
        assert (await call_tool(theirs, "list_contacts")).result == {"contacts": [], "total": 0}
        assert (await call_tool(theirs, "list_companies")).result == {"companies": [], "total": 0}
        assert (await call_tool(theirs, "delete_job", job_id=1)).is_error
        await call_tool(theirs, "save_contact", name="Ann", company="Acme", email="x@x.org")
        await call_tool(theirs, "save_company", name="Acme", notes="theirs")
    contacts = await call_tool(mine, "list_contacts")
    companies = await call_tool(mine, "list_companies")

    assert contacts.result["contacts"] == [{"contact_id": 1, "name": "Ann", "company": "Acme"}]
    assert companies.result["companies"] == [{"company_id": 1, "name": "Acme", "jobs": 1}]
    assert (await call_tool(mine, "list_jobs")).result["total"] == 1
