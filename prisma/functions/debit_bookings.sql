-- Holds the money of what was decided: debits accounts and keys, once each, and writes reservations, and entries of the ledger with the balance
-- that each leaves. Their tasks are there.
CREATE OR REPLACE FUNCTION debit_bookings(booked booking[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
UPDATE accounts a SET held_nano = a.held_nano + w.total
  FROM (SELECT b.account_id, sum(b.amount)::bigint AS total FROM unnest(booked) b GROUP BY b.account_id) w WHERE a.id = w.account_id;
UPDATE api_keys k SET held_nano = k.held_nano + w.total
  FROM (SELECT b.key_id, sum(b.amount)::bigint AS total FROM unnest(booked) b GROUP BY b.key_id) w WHERE k.id = w.key_id;
INSERT INTO reservations (task_id, account_id, key_id, family, model, amount_nano, is_test, expires_at)
  SELECT b.task_id, b.account_id, b.key_id, b.fields->>'family', b.fields->>'model', b.amount, b.is_test,
    now() + make_interval(secs => (b.fields->>'deadlineMs')::float8 / 1000)
  FROM unnest(booked) b;
INSERT INTO ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
  SELECT b.account_id, b.key_id, b.task_id, 'hold', b.amount,
    b.account_balance - sum(b.amount) OVER (PARTITION BY b.account_id ORDER BY b.ordinal)
  FROM unnest(booked) b ORDER BY b.ordinal;
END $$;
