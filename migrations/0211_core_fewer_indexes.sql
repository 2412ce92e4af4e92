-- Votes for a template are found by its first word, as the templates of a sentence are.
drop index learned_votes_template;
