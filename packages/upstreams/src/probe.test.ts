import { createArkProbe } from './ark-models';
import { createHttpClient, type HttpClient } from './http-client';
import { seenModels } from './probe';

it.each([
  ['a day', '2027-01-06', '2027-01-06'],
  ['a moment', '2027-01-06T00:00:00Z', '2027-01-06'],
  ['no day of the calendar', '2027-13-41', undefined],
  ['a word', 'soon', undefined],
  ['a day with a long end', `2027-01-06${'0'.repeat(100_000)}`, undefined],
])('the end that a vendor gives for a model is a day or nothing: %s', (_, words, servedUntil) => {
  const { models: [seen] = [] } = seenModels(['flare'], new Map([['flare', words]]));
  expect(seen).toEqual({ name: 'flare', known: true, ...(servedUntil === undefined ? {} : { servedUntil }) });
});

it('a list of nothing says nothing of any model', () => {
  expect(seenModels(['flare'], new Map())).toEqual({});
});

it('a list of Ark’s says which names are not there, or have ended, and nothing of the account’s own endpoints', async () => {
  const data = [{ id: 'there' }, { id: 'on notice', status: 'Retiring' }, { id: 'over', status: 'Shutdown' }];
  const send: HttpClient['send'] = async () => ({
    kind: 'answer',
    status: 200,
    headers: {},
    body: { kind: 'json', value: { object: 'list', data } },
  });
  const models = ['there', 'on notice', 'over', 'never', 'ep-2026'];
  const endpoint = { channelId: 'c', baseUrl: '', apiKey: '', model: 'there', options: {} };
  const seen = await createArkProbe({ ...createHttpClient(), send })({
    endpoint,
    models,
    signal: new AbortController().signal,
  });
  expect(seen).toMatchObject({
    key: 'taken',
    models: [
      { name: 'there', known: true },
      { name: 'on notice', known: true },
      { name: 'over', known: false },
      { name: 'never', known: false },
    ],
  });
});
