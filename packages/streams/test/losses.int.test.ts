import { newTaskId, type TaskId } from '@mediagate/contracts';
import { testRedisUrl } from '@mediagate/testkit';
import { type DirectAddress, type IncomingStream, StreamEndedError, type StreamEvent } from '../src';
import { type BothSides, DIRECT, never, openBothSides, PATIENT, QUICK } from './both-sides';
import { openRedisView, type RedisView } from './redis-view';
import { type SideProcess, spawnSide } from './spawn-side';
import { until } from './until';

/** Time that a busy machine may add to what is promised. */
const SLACK_MS = 2000;

let sides: BothSides;
let view: RedisView;
let way: DirectAddress | undefined;
const processes: SideProcess[] = [];
beforeEach(async () => {
  sides = await openBothSides({ timing: QUICK, direct: way });
  view = openRedisView(sides.prefix);
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.kill()));
  await sides.close();
  view.close();
});

const spawn = (side: 'api' | 'worker', taskId: TaskId, timing = QUICK) => {
  const spec = { redisUrl: testRedisUrl(), prefix: sides.prefix, timing, taskId, direct: way };
  const process = spawnSide(side, spec);
  processes.push(process);
  return process;
};

/** Takes what comes until so many bytes have; the rest of the events is left. */
async function untilStreaming(events: AsyncIterator<StreamEvent>, listening: IncomingStream): Promise<void> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('it ended');
    if (value.kind !== 'chunk') continue;
    listening.acknowledge(value.bytes.length);
    return;
  }
}

/** Takes all that still comes, and tells when the last event came. */
async function untilOver(events: AsyncIterator<StreamEvent>): Promise<{ last: StreamEvent | undefined; atMs: number }> {
  let last: StreamEvent | undefined;
  for (;;) {
    const { value, done } = await events.next();
    if (done) return { last, atMs: performance.now() };
    last = value;
  }
}

describe.each([
  ['through Redis', undefined],
  ['by connections of their own', DIRECT],
])('%s', (_way, address) => {
  beforeAll(() => {
    way = address;
  });

  describe('a worker process', () => {
    it('that is killed is noticed by the next pulses, long before the silence', async () => {
      await sides.close();
      sides = await openBothSides({ timing: PATIENT, direct: way });
      const taskId = newTaskId();
      const listening = sides.receiver.listen(taskId);
      const worker = spawn('worker', taskId, PATIENT);
      const events = listening[Symbol.asyncIterator]();
      await untilStreaming(events, listening);
      const killedAt = performance.now();
      worker.signal('SIGKILL');
      const { last, atMs } = await untilOver(events);
      expect(last).toEqual({ kind: 'worker_lost', fence: 1 });
      expect(atMs - killedAt).toBeLessThan(4 * PATIENT.apiHeartbeatMs + SLACK_MS);
    });

    it('that is frozen is given up after the silence, and works for nobody when it resumes', async () => {
      const taskId = newTaskId();
      const listening = sides.receiver.listen(taskId);
      const worker = spawn('worker', taskId);
      const events = listening[Symbol.asyncIterator]();
      await untilStreaming(events, listening);
      const frozenAt = performance.now();
      worker.signal('SIGSTOP');
      const { last, atMs } = await untilOver(events);
      expect(last).toEqual({ kind: 'worker_lost', fence: 1 });
      expect(atMs - frozenAt).toBeGreaterThan(QUICK.silenceMs / 2);
      expect(atMs - frozenAt).toBeLessThan(QUICK.silenceMs + 2 * QUICK.apiHeartbeatMs + SLACK_MS);
      const said = worker.says();
      worker.signal('SIGCONT');
      expect(await said).toBe('api_gone');
    });
  });

  describe('an API process', () => {
    it.each([
      ['that is killed', 'SIGKILL'],
      ['that is frozen', 'SIGSTOP'],
    ] as const)('%s ends the delivery, and its stream does not outlive it for long', async (_, signal) => {
      const taskId = newTaskId();
      const api = spawn('api', taskId);
      expect(await api.says()).toBe('listening');
      const delivery = await sides.sender.open({ taskId, fence: 1, signal: never() });
      const sending = (async () => {
        for (;;) await delivery?.send(Buffer.alloc(1024));
      })();
      const struckAt = performance.now();
      api.signal(signal);
      await expect(sending).rejects.toThrow(new StreamEndedError('api_gone'));
      expect(performance.now() - struckAt).toBeLessThan(QUICK.silenceMs + 2 * QUICK.apiHeartbeatMs + SLACK_MS);
      await sides.close();
      await until(async () => (await view.keys()).length === 0, 'nothing is left in Redis');
    });
  });
});
