"""``taptable doctor``: looks at everything a table stands on, part by part, and says what is wrong and what to do about
it. Changes nothing of the table's."""
