import { wireHeaders } from './wire-headers';

const OURS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'mediagate' };

it('sends each header once: of the body before the request’s, and of the request before our own', () => {
  const headers = { Accept: 'audio/mpeg', 'Content-Type': 'text/plain', Authorization: 'Bearer key' };
  expect(wireHeaders({ method: 'GET', headers }, { 'content-type': 'application/json' })).toEqual({
    ...OURS,
    accept: 'audio/mpeg',
    'content-type': 'application/json',
    authorization: 'Bearer key',
  });
});

it('says of a body without a type that it is a form, as axios does', () => {
  const form = 'application/x-www-form-urlencoded';
  expect(wireHeaders({ method: 'POST', headers: {} }, {})).toEqual({ ...OURS, 'content-type': form });
  expect(wireHeaders({ method: 'PUT', headers: { 'Content-Type': 'image/png' } }, {})['content-type']).toBe(
    'image/png',
  );
  expect(wireHeaders({ method: 'DELETE', headers: {} }, {})).toEqual(OURS);
});

it('takes a key that was copied with a line break for the key', () => {
  const headers = { 'x-api-key': ' key-1234\r\n' };
  expect(wireHeaders({ method: 'GET', headers }, {})['x-api-key']).toBe('key-1234');
});
