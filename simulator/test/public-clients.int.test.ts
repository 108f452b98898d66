import { setTimeout as pause } from 'node:timers/promises';
import { forAllTests } from '@mediagate/testkit';
import { type ClientStep, fieldAt, filled, type PublicClient, readAs, readWitnesses } from './public-clients';
import { startUnderTest } from './simulator-under-test';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100 }));
afterEach(() => simulator.reset());

const ROWS = readWitnesses().flatMap((witnesses) =>
  witnesses.clients.map((client) => [witnesses.protocol, client.client, { ...witnesses, client }] as const),
);

it.each(ROWS)('%s is spoken as %s speaks it', async (_protocol, _name, { mount, key, client }) => {
  const known: Record<string, string> = { key };
  for (const step of client.steps) {
    const body = await asked(filled(step, known), {
      origin: simulator.url + mount,
      headers: filled(client.headers, known),
    });
    const { kept, links } = readAs(step, body);
    Object.assign(known, kept);
    for (const link of links) {
      const file = await fetch(link);
      expect([link, file.status]).toEqual([link, 200]);
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  }
  const warnings = (await simulator.journal()).flatMap((entry) => entry.warnings);
  expect(warnings.filter((sentence) => sentence.startsWith('unknown field'))).toEqual([]);
});

/** The answer of a step, asked for again until it is what the client waits for. */
async function asked(step: ClientStep, to: { origin: string; headers: PublicClient['headers'] }): Promise<unknown> {
  const response = await fetch(to.origin + step.path, {
    method: step.method,
    headers: { ...to.headers, 'content-type': 'application/json' },
    ...(step.body && { body: JSON.stringify(step.body) }),
  });
  expect([step.path, response.status]).toEqual([step.path, 200]);
  const body: unknown = await response.json();
  if (step.until === undefined || fieldAt(body, step.until[0]) === step.until[1]) return body;
  await pause(50);
  return asked(step, to);
}
