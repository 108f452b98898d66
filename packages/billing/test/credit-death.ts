import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '@mediagate/database';
import { Credit, createFinisher, createSubmitter, type Drawn } from '../src';
import type { Payer } from './books';
import { completedText, textOf } from './texts';

/*
 * A process with one text on credit, from the taking of credit to the giving back, that kills itself at the point that KILL_AT names. With
 * `during …` it writes a line, and sends that statement on a message: it is killed by whoever sent that. LASTS: the text is booked while it runs.
 */
const { DATABASE_URL: url = '', PAYERS = '[]', LIMIT = '0', KILL_AT = '', LASTS = '' } = process.env;
const SECONDS = 60;

const database = openDatabase({ url, poolSize: 4, statementTimeoutMs: 30_000, applicationName: 'credit-death' });

async function at<T>(what: string, work: () => Promise<T>): Promise<T> {
  pass(`before ${what}`);
  if (KILL_AT === `during ${what}`) {
    say('during');
    await once(process, 'message');
  }
  const done = await work();
  pass(`after ${what}`);
  return done;
}

/** Nothing after it is run. */
function pass(point: string): void {
  if (point === KILL_AT) process.kill(process.pid, 'SIGKILL');
}

function say(word: string): void {
  writeSync(1, `${JSON.stringify(['', '', word, 0])}\n`);
}

/** With patience: whoever kills it in a statement holds that up by a lock. */
const bookDrawn: Database['bookDrawn'] = (wishes, tasks, options) =>
  at(nameOf([wishes, tasks, options]), () => database.bookDrawn(wishes, tasks, { ...options, lockWaitMs: 20_000 }));

function nameOf([wishes, tasks]: Parameters<Database['bookDrawn']>): string {
  const [task] = tasks;
  if (task) return JSON.parse(task.payload).status === 'processing' ? 'booking it as running' : 'booking it as ended';
  if (wishes.some(({ opens }) => opens)) return 'taking credit';
  return wishes.some(({ wantedNano }) => wantedNano === 0n) ? 'giving back' : 'filling up';
}

const finisher = createFinisher(database);
const credit = new Credit(
  { tally: database.tally, bookDrawn },
  {
    limitNano: BigInt(LIMIT),
    seconds: SECONDS,
    submit: createSubmitter(database),
    finish: (end) => at('ending it', () => finisher(end)),
  },
);

async function drawSoon(payer: Payer): Promise<Drawn> {
  for (; ; await delay(1)) {
    const drawn = credit.draw(textOf(payer));
    if (drawn) return drawn;
  }
}

async function run(payer: Payer): Promise<void> {
  const drawn = await drawSoon(payer);
  pass('after the draw');
  pass('after the vendor was asked');
  if (LASTS !== '') {
    credit.look(performance.now() + SECONDS * 1000);
    await drawn.beingBooked;
  }
  pass('after the vendor answered');
  await credit.end(drawn, completedText(drawn.submission));
  pass('after the caller was answered');
  await credit.close();
  say('never there');
  await database.close();
  process.disconnect?.();
}

const [payer] = JSON.parse(PAYERS) as Payer[];
if (payer === undefined) throw new Error('nobody pays');
void run(payer);
