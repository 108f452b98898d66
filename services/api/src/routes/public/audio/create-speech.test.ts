import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { GatewayError, message, newTaskId } from '@mediagate/contracts';
import type { Call } from '../../../http/exchange';
import { RequestScope } from '../../../http/request-scope';
import type { Acknowledgement } from '../../../use-cases/submit-task';
import { speak } from './create-speech';

const BODY = Buffer.from('{"input":"hello"}');

function call(): Call {
  const request = Object.assign(Readable.from([BODY]), {
    headers: { 'content-type': 'application/json' },
    query: {},
  });
  return {
    request,
    response: Object.assign(new EventEmitter(), { setHeader: () => undefined }),
    requestId: 'request',
    wording: {},
    outcome: {},
    caller: { id: 'key' },
    memory: { open: () => undefined, take: () => undefined, close: () => undefined },
    pace: { periodMs: 10_000 },
    scope: new RequestScope('request'),
  } as unknown as Call;
}

/** Runs a speech; records when it frees its slot and leaves its place. */
async function run(submitTask: () => Promise<Acknowledgement>, deliver: () => Promise<void> = async () => undefined) {
  const seen: unknown[] = [];
  const parts = {
    speeches: { takeSlot: () => ({ listener, deliver, leave: () => seen.push('left') }) },
    slots: { freed: (of: object) => seen.push(of) },
  };
  const error = await speak(call(), parts, submitTask).catch((thrown: Error) => thrown);
  return { error, seen };
}

const accepted = {
  taskId: newTaskId(),
  warnings: [],
  replayed: false,
  begun: { input: { response_format: 'mp3' }, model: 'm' },
};
const listener = { url: 'http://api/callers/one', token: 'once' };
const FREED = { keyId: 'key', family: 'tts' };

describe('a speech', () => {
  it.each<[string, () => Promise<void>, unknown]>([
    ['ended', async () => undefined, undefined],
    ['broke off', () => Promise.reject(new Error('cut')), new Error('cut')],
  ])('that was booked and %s frees its slot', async (_how, deliver, error) => {
    expect(await run(async () => accepted, deliver)).toEqual({ error, seen: [FREED, 'left'] });
  });

  it.each<[string, () => Promise<Acknowledgement>]>([
    ['refused', () => Promise.reject(new GatewayError('rate_limited', message('too_many_tasks_of_key')))],
    ['a repetition', async () => ({ taskId: newTaskId(), warnings: [], replayed: true })],
  ])('that is %s had no slot, and frees none', async (_what, submitTask) => {
    const { error, seen } = await run(submitTask);
    expect(error).toBeInstanceOf(GatewayError);
    expect(seen).toEqual(['left']);
  });
});
