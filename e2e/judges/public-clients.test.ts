import { type ClientStep, filled, readAs, readWitnesses } from '../../simulator/test/public-clients';
import { type Exchange, named, readExchanges, type Sent } from './fixtures';

/*
 * Public clients as judges of protocols whose vendors have no client that installs: an adapter sends what two of them know, of the
 * same types, to the paths that they use; and they find what they read in the answers that the adapter is tested with.
 */

describe.each(readWitnesses())('$protocol', (witnesses) => {
  const { protocol, prefix = '', unproved, clients } = witnesses;
  const fixtures = readExchanges(protocol);
  const success = named(fixtures, 'success');
  const startPath = success.wire?.[0]?.path ?? '';

  it('has two judges, each with its source and the day on which it was read', () => {
    expect(clients.length).toBeGreaterThanOrEqual(2);
    expect(clients.every(({ client, found }) => client !== '' && /^\d{4}-\d\d-\d\d$/.test(found))).toBe(true);
  });

  it.each(clients)('starts where $client does, with the same headers', ({ steps: [start], headers }) => {
    expect(startPath).toBe(prefix + start?.path);
    expect(success.wire?.[0]?.headers).toMatchObject(filled(headers, { key: 'key-for-tests' }));
  });

  it('sends what its judges know and no other field, but for those that are said to be unproved', () => {
    const known = new Set(clients.flatMap(({ knows, steps: [start] }) => [...knows, ...leaves(start?.body).keys()]));
    const sent = startsOf(fixtures, startPath).flatMap(({ json }) => [...leaves(json).keys()]);
    expect([...new Set(sent)].filter((field) => !known.has(field)).sort()).toEqual([...unproved].sort());
  });

  it.each(clients)('sends each field as $client does: as text, a number, a choice', ({ steps: [start] }) => {
    const theirs = leaves(start?.body);
    for (const { json } of startsOf(fixtures, startPath)) {
      const ours = [...leaves(json)].filter(([field]) => theirs.has(field));
      expect(ours).toEqual(ours.map(([field]) => [field, theirs.get(field)]));
    }
  });

  it.each(clients)('asks where $client does, and is tested with answers that it can read', ({ steps }) => {
    const [start, ...questions] = steps;
    const done = named(fixtures, 'check-done');
    const known: Record<string, string> = {};
    if (start !== undefined) Object.assign(known, readAs(start, success.replies[0]?.body).kept);
    questions.forEach((question, index) => {
      const body = done.replies[index]?.body;
      if (!question.older) expect(whereTo(done.wire?.[index])).toBe(shapeOf(question));
      const { until } = question;
      if (until) expect(() => readAs({ ...question, equals: { [until[0]]: until[1] } }, body)).not.toThrow();
      Object.assign(known, readAs(question, body).kept);
    });
    expect(Object.keys(known)).toContain('id');
  });
});

function startsOf(fixtures: Exchange[], path: string): Sent[] {
  return fixtures.flatMap(({ wire = [] }) => wire.filter((sent) => sent.path === path && sent.json !== undefined));
}

/** Every field that is no object, by its path without the numbers of elements, with its type. */
function leaves(part: unknown, path: string[] = []): Map<string, string> {
  if (Array.isArray(part)) return new Map(part.flatMap((element) => [...leaves(element, path)]));
  if (typeof part !== 'object' || part === null) return new Map([[path.join('.'), typeof part]]);
  return new Map(Object.entries(part).flatMap(([name, value]) => [...leaves(value, [...path, name])]));
}

/** A question without the ids in it. */
function whereTo(sent: Sent | undefined): string {
  return `${sent?.method ?? 'POST'} ${sent?.path.replace(/(?<==)[^&]+$|(?<=\/task\/)[^/]+|(?<=2video\/)[^/]+$/, '*')}`;
}

function shapeOf({ method, path }: ClientStep): string {
  return `${method} ${path.replace(/\{\w+\}/, '*')}`;
}
