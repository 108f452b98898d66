import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rotateWebhookSecret } from '@mediagate/callbacks';
import type { Database } from '@mediagate/database';
import { listOperators, revokeOperator } from '@mediagate/identity';
import { openTestDatabase } from '@mediagate/testkit';
import { openDemoAccount } from '../src/demo-account';
import { openDemoOperator } from '../src/demo-operator';
import { openHome } from '../src/home';

let database: Database;
let close: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  folder = mkdtempSync(join(tmpdir(), 'mediagate-demo-'));
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the account of the demo', () => {
  it('is kept from start to start, with the secret that signs its callbacks now', async () => {
    const open = () => openDemoAccount(openHome(folder), database, 'pepper');
    const first = await open();
    expect(await open()).toEqual(first);
    const rotated = await rotateWebhookSecret({ database }, first.accountId, { overlapMs: 0, actor: 'test' });
    const webhookSecret = rotated?.kind === 'rotated' ? rotated.secret : '';
    expect(await open()).toEqual({ ...first, webhookSecret });
  });
});

describe('the token of the demo’s operator', () => {
  it('is kept from start to start, and made anew where it was revoked', async () => {
    const open = () => openDemoOperator(openHome(folder), database, 'pepper');
    const first = await open();
    expect(await open()).toBe(first);
    const [operator] = await listOperators(database);
    await revokeOperator(database, operator?.id ?? '', { actor: 'test' });
    const second = await open();
    expect(second).not.toBe(first);
    expect(await open()).toBe(second);
  });
});
