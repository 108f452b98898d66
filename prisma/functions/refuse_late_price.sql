-- Trigger `price_overrides_in_time`: refuses a price that processes could learn of too late. Each goes by the prices that it knows for
-- 7 seconds (PRICES_KNOWN_MS of packages/billing). The trigger fires after all else of the statement, so that whatever it waited
-- for counts, and no setting of the session is needed. The code is that of a lost race: nothing was written, try again.
CREATE OR REPLACE FUNCTION refuse_late_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effective_at < clock_timestamp() + interval '7 seconds' THEN
    RAISE EXCEPTION 'the price of % would be known too late', NEW.billing_key USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;
