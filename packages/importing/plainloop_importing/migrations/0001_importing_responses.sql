-- adopts: imported_responses
-- Which answers of providers were imported: an answer that comes again, from another system, file
-- or command, is the same call of the ledger.
create table imported_responses (
    tenant_id text not null,
    response_id text not null, -- the provider's own id of the answer
    call_id uuid not null, -- its row of the ledger, as long as that is there
    primary key (tenant_id, response_id)
);

select plainloop_protect('imported_responses'::regclass);
