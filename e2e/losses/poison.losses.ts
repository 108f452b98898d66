import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runSql } from '@mediagate/testkit';
import { type System, startSystem } from '../system/start-system';

const UNIT = 1_000_000_000n;
const VIDEOS = '/v1/videos/generations';
const VIDEO = { model: 'videoa-3.0-video', resolution: '480P', duration: 2 };
/** Deaths beside other tasks, and then alone. */
const [BESIDE, ALONE] = [2, 3];
const EACH_TIME = 12;
/** The call of one neighbour takes this long; its vendor can neither be asked for a job without its id nor enforces a reference. */
const LONG_CALL = '6s';

let system: System<'api' | 'video' | 'reconciler'>;
let host: Server;
/** Called for each request of the file by which the worker dies. */
let onFetch: () => void = () => undefined;
beforeAll(async () => {
  host = createServer(() => onFetch()).listen(0, '127.0.0.1');
  await once(host, 'listening');
  system = await startSystem({
    services: ['api', 'video', 'reconciler'],
    env: { WORKER_CONCURRENCY: '8' },
    media: { allow_private_cidrs: ['127.0.0.0/8'], allow_ports: [portOf(host)] },
  });
});
afterAll(async () => {
  await system.stop();
  host.closeAllConnections();
  host.close();
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

describe('a task by which every worker dies', () => {
  it('runs apart from calls after its second death, ends with a refund after five, and costs no task beside it its job', async () => {
    const { caller } = await system.account(1000n * UNIT);
    const fetched = () =>
      new Promise<void>((resolve) => {
        onFetch = resolve;
      });
    const submitOthers = (name: string) =>
      Promise.all(
        Array.from({ length: EACH_TIME }, (_, index) => {
          const trouble = index === 0 ? `start-latency=${LONG_CALL}` : 'latency=1500ms';
          return caller.submit({ ...VIDEO, prompt: `${name} ${index} [[sim:${trouble}]]` }, VIDEOS);
        }),
      );
    let deadly = fetched();
    const others: string[] = [];
    const url = `http://127.0.0.1:${portOf(host)}/first.jpg`;
    const poison = await caller.submit({ ...VIDEO, prompt: 'a kite', image_urls: [url] }, VIDEOS);
    const beside: number[] = [];
    for (let death = 1; death <= BESIDE + ALONE; death += 1) {
      if (death > BESIDE) others.push(...(await submitOthers(`after ${death}`)));
      await deadly;
      const calling = await runSql<{ id: string }>(
        system.database,
        `select id from tasks where attempt_state = 'starting' and status not in ('completed', 'failed') and id <> '${poison}'`,
      );
      beside.push(calling.length);
      deadly = fetched();
      await system.services.video.kill();
      await system.services.video.start();
    }
    expect(beside.slice(BESIDE)).toEqual(Array.from({ length: ALONE }, () => 0));
    expect(await caller.ended(poison)).toMatchObject({ status: 'failed', cost: 0 });
    const records = await Promise.all(others.map((id) => caller.ended(id)));
    expect(records.filter(({ status }) => status !== 'completed')).toEqual([]);
    const started = (await system.simulator.journal()).filter(
      ({ accepted, operation }) => accepted && operation === 'start',
    );
    expect(started).toHaveLength(others.length);
    expect(await system.audit()).toEqual([]);
  }, 240_000);
});
