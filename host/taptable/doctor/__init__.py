"""``taptable doctor``: examines everything that a table depends on, group by group, and says what is wrong and what to
do about it. It changes nothing of the table's. Must not know the kinds of drivers: each brings its own examinations
(`drivers`)."""
