import type { ReceiverReport } from '../../../instruments/receiver';
import type { Outcome } from '../../comparison';
import { createHttpSender } from '../../load/http-sender';
import { runOpenLoop } from '../../load/open-loop';
import { databaseBytes } from '../../machine/counters';
import { query } from '../../machine/query';
import { type Figure, figure, type Goal } from '../../measure/figure';
import { until } from '../../measure/until';
import { auditFaults, type Books, mustEqual, openBooks, WEBHOOK_SECRET } from '../../product/books';
import { startApi, startDelivery, startImageWorker, startReconciler } from '../../product/services';
import { authorization } from '../../product/submission-load';
import { SUBMISSION, submitTasks } from '../../product/tasks';
import type { Stage } from '../../stage';
import { CostMeter } from './meter';

const CONCURRENCY = 50;
const RECEIVERS = 8;
/** One after the other: none shares a statement with another. */
const ALONE = { perSecond: 5, durationMs: 20_000 };
const TOGETHER = { full: 3000, quick: 300 };
const LIMIT_MS = 60_000;

const CONNECTIONS: Goal = {
  id: 'P20',
  measure: 'connections of PostgreSQL, most at once, of one of each service',
  threshold: { atMost: 60 },
  unit: 'x',
};

const DISK: Goal = {
  ...CONNECTIONS,
  measure: 'KiB of PostgreSQL of an image with its callback, from submission to its end',
  threshold: { atMost: 16 },
};
const DISK_LIMIT = 'before vacuum has given back the versions of rows that changed';

/** The whole life of an image: alone and many at once, without and with a callback. */
export async function costOfImageTasks(stage: Stage): Promise<Outcome> {
  const receiver = await stage.startProgram('instruments/receiver.ts', { PORTS: String(RECEIVERS), WEBHOOK_SECRET });
  const { ports } = await receiver.order<ReceiverReport>({});
  const webhook = (index: number) => `http://127.0.0.1:${ports[index % ports.length]}/hook`;
  const upstream = await stage.startProgram('instruments/upstream.ts', {});
  const books = await openBooks(stage, 'images', { accounts: 100 });
  const around = { books, upstreamUrl: upstream.url, callbackPorts: ports };
  const api = await startApi(stage, books);
  const image = await startImageWorker(stage, around, CONCURRENCY);
  const [delivery, reconciler] = [await startDelivery(stage, around), await startReconciler(stage, around)];
  const system = { servers: stage.servers, databaseUrl: books.url, services: { api, image, delivery, reconciler } };
  const meter = await CostMeter.open(system, 'an API, an image worker, a sender and a reconciler');
  const count = stage.quick ? TOGETHER.quick : TOGETHER.full;
  await meter.measure({ name: 'an image, from submission to callback, alone', maxTransactions: 12 }, async () => {
    const { sent, failures } = await submitAlone(api.url, books, webhook(0));
    if (failures > 0) throw new Error(`${failures} submissions failed`);
    await untilDone(books);
    return sent;
  });
  await meter.measure({ name: `an image’s start and end, ${count} at once`, maxTransactions: 3 }, async () => {
    await submitTasks(books, { count });
    await untilDone(books);
    return count;
  });
  const peak = await connections(books);
  const bytesBefore = await databaseBytes(books.url);
  await meter.measure({ name: `the same with a callback, ${count} at once`, maxTransactions: 4 }, async () => {
    await submitTasks(books, { count, webhook });
    await untilDone(books);
    return count;
  });
  const kib = ((await databaseBytes(books.url)) - bytesBefore) / 1024 / count;
  const { callbacks } = await receiver.order<ReceiverReport>({});
  const called = count + (ALONE.perSecond * ALONE.durationMs) / 1000;
  return {
    figures: [...meter.figures, connectionFigure(peak), figure(DISK, { values: [kib], slices: [], limit: DISK_LIMIT })],
    faults: [...mustEqual('callbacks', callbacks, called), ...(await auditFaults(books))],
  };
}

async function submitAlone(url: string, books: Books, callback: string): Promise<{ sent: number; failures: number }> {
  const headers = { ...authorization(books), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...SUBMISSION, webhook: callback });
  const sender = createHttpSender({ url: `${url}/v1/images/generations`, headers, body, connections: 1 });
  const { latenciesMs, failures } = await runOpenLoop({ ...ALONE, send: () => sender.send() });
  sender.close();
  return { sent: latenciesMs.length, failures };
}

async function untilDone(books: Books): Promise<void> {
  await until(LIMIT_MS, async () => (await countOpen(books)) === 0);
}

async function countOpen(books: Books): Promise<number> {
  const tasks = await books.count(`tasks where status not in ('completed', 'failed')`);
  return tasks > 0 ? tasks : books.count(`webhook_deliveries where state = 'pending'`);
}

interface Connections {
  application: string;
  open: number;
}

function connections({ url }: Books): Promise<Connections[]> {
  return query<Connections>(url, READ_CONNECTIONS);
}

const READ_CONNECTIONS = `
select application_name as application, count(*)::int as open from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'bench' group by 1 order by 1`;

function connectionFigure(found: readonly Connections[]): Figure {
  const limit = found.map(({ application, open }) => `${application} ${open}`).join(', ');
  return figure(CONNECTIONS, { values: [found.reduce((sum, { open }) => sum + open, 0)], slices: [], limit });
}
