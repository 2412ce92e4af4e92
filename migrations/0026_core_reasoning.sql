-- What a run's models think before they answer is told as events, where whoever asked wants it.

alter table runs add column tells_reasoning boolean not null default false;
