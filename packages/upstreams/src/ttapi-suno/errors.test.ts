import { ttapiErrors, ttapiQueryErrors } from './errors';

it('of what the vendor says reads the beginning alone', () => {
  const body = { status: 'FAILED', message: 'job '.repeat(20_000) };
  expect(ttapiErrors.read(body, 400)?.message).toHaveLength(2_000);
  expect(ttapiQueryErrors.read({ ...body, message: `${body.message} not found` }, 200)).toBeUndefined();
});
