"""``taptable doctor``: examines everything that a table depends on, part by part, and says what is wrong and what to do
about it. It changes nothing of the table's."""
