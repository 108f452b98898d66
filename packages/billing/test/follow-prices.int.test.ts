import { forAllTests, runSql } from '@mediagate/testkit';
import { openBooks } from './books';

const books = forAllTests(() => openBooks(2));

describe('the prices of operators', () => {
  it('are all known, however many are set for later', async () => {
    await runSql(
      books.database,
      `insert into price_overrides (billing_key, price, effective_at, set_by)
        select 'key-' || n, '{"perTask": "1"}', now() + interval '1 day' + n * interval '1 second', 'test' from generate_series(1, 10001) n`,
    );
    const steps = await books.database.followPrices();
    expect(steps.at(-1)?.billingKey).toBe('key-10001');
  });
});
