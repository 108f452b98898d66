import { type Database, OPERATORS } from '@mediagate/database';
import { createOperator } from '@mediagate/identity';
import { type SmallDisk, until } from '@mediagate/testkit';
import type { Caller, TaskRecord } from '../system/caller';
import { judgedFetch } from '../system/judged-answers';
import { PEPPER, type System, type SystemAccount } from '../system/start-system';
import type { ExpiringVendor } from './expiring-vendor';

export const SERVICES = ['api', 'image', 'webhook-delivery', 'reconciler'] as const;
export type Service = (typeof SERVICES)[number];

/** The system that all nights happen to, one after the other. */
export interface World {
  system: System<Service>;
  account: SystemAccount;
  caller: Caller;
  /** The disk of the results, where one can be had. */
  disk: SmallDisk | undefined;
  vendor: ExpiringVendor;
  operator: Operator;
}

/** As `GET /admin/v1/troubles` has it. */
export interface ListedTrouble {
  kind: string;
  subject: string | null;
  cause: string;
  detail: string | null;
  action: string;
  runbook: string;
}

/** Something that breaks at night, and the path from what callers see to the end of it. */
export interface Night {
  name: string;
  /** Default: the night can be played anywhere. */
  canBePlayed?(): boolean;
  /** Breaks it, and says what a caller sees first, once a caller has seen it. */
  break(world: World): Promise<string>;
  trouble: Pick<ListedTrouble, 'kind' | 'cause'> & { subject?: string; detail?: RegExp };
  /** The process whose list names the trouble; default: the API of the system. */
  askedAt?(): string;
  /** How an operator who does not look learns of it: by a notice, or an alert on what a process measures; or not at all, as it says. */
  notified: { notice: string } | { alert: string; service: Service; measured: RegExp } | { nobody: string };
  /** Does what the action of the trouble says, and resolves once work goes on. */
  mend(world: World): Promise<void>;
}

/** The lists and notices of an operator. */
export interface Operator {
  troubles(baseUrl?: string): Promise<ListedTrouble[]>;
  /** Resolves once the notice of this kind about the channel, if it is about one, has arrived where operators read it. */
  noticed(kind: string, channel: string | undefined): Promise<void>;
}

const BOX = 'nights';
/** The rest of a notice has figures, which change. */
const TELLING_CHARACTERS = 20;

/** An operator with a token, who is notified by Slack. */
export async function openOperator({ system }: Pick<World, 'system'>): Promise<Operator> {
  const { database, simulator, baseUrl: ownUrl } = system;
  const { token } = await createOperator(database, PEPPER, { name: 'at night', role: 'support' }, { actor: 'test' });
  await addTarget(database, `${simulator.receiverUrl(BOX)}/callback`);
  const ask = async (path: string, baseUrl = ownUrl) => {
    const answer = await judgedFetch(`${baseUrl}/admin/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: never[] }).data;
  };
  return {
    troubles: (baseUrl) => ask('/troubles', baseUrl),
    async noticed(kind, channel = '') {
      const text = await until(async () => {
        const standing: { kind: string; text: string }[] = await ask('/notices?state=standing');
        return standing.find((each) => each.kind === kind && each.text.includes(channel))?.text;
      }, `the notice ${kind} stands`);
      await until(async () => {
        const messages = await simulator.received(BOX, 0);
        return messages.some(({ body }) => body.includes(text.slice(0, TELLING_CHARACTERS)));
      }, `an operator is notified of ${kind}`);
    },
  };
}

async function addTarget(database: Database, address: string): Promise<void> {
  const target = { id: 'target_nights', owner: OPERATORS, medium: 'slack', address, language: 'en' };
  await database.noticeTarget.create({ data: target });
}

/** Tasks of one model, whose prompts differ, so that no vendor takes one for another. */
export async function submit({ caller }: Pick<World, 'caller'>, model: string, count: number): Promise<string[]> {
  submitted += count;
  const prompts = Array.from({ length: count }, (_, index) => `a quay by night ${submitted - index}`);
  return Promise.all(prompts.map((prompt) => caller.submit({ model, prompt })));
}
let submitted = 0;

export async function ended({ caller }: Pick<World, 'caller'>, ids: readonly string[]): Promise<TaskRecord[]> {
  return Promise.all(ids.map((id) => caller.ended(id, PATIENCE_MS)));
}
export const PATIENCE_MS = 600_000;

/** All of them are completed, however long that takes. */
export async function completed(world: Pick<World, 'caller'>, ids: readonly string[]): Promise<void> {
  const records = await ended(world, ids);
  expect(records.map(({ status, error }) => error ?? status)).toEqual(ids.map(() => 'completed'));
}
