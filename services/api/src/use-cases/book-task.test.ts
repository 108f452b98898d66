import { EventEmitter } from 'node:events';
import type { Submission, SubmitOutcome } from '@mediagate/billing';
import { loadCatalogue } from '@mediagate/catalog';
import { GatewayError, message } from '@mediagate/contracts';
import { type AcceptedTask, type Booker, type Booking, bookTask } from './book-task';
import type { Caller } from './caller';
import { SlotQueue } from './slot-queue';

const entry = loadCatalogue().find('ttsmodel-mini');
if (entry === undefined) throw new Error('the model must be in the catalogue');

function bookWith(outcomes: SubmitOutcome[], price: Booking['price']) {
  const sent: Submission[] = [];
  const api = {
    async submit(submission: Submission) {
      sent.push(submission);
      return outcomes.shift() ?? { kind: 'accepted' };
    },
    slots: new SlotQueue(),
    forgetKey: () => undefined,
    settlements: { onceSettled: (_: string, { decide }: { decide(): unknown }) => decide() },
  } as unknown as Booker;
  const connection = Object.assign(new EventEmitter(), { destroyed: false });
  const caller = { id: 'key', accountId: 'account', maxConcurrent: 1 } as Caller;
  const booked = bookTask(api, {
    caller,
    entry,
    connection,
    price,
    input: {},
    warnings: [],
    requestId: 'request',
  } as Booking);
  return { booked, sent };
}

it('books at the price of the moment, also after a wait for a slot', async () => {
  let nano = 0n;
  const price = () => {
    nano += 1n;
    return { rates: { per_task: nano }, reservedNano: nano };
  };
  const { booked, sent } = bookWith([{ kind: 'no_slot' }], price);
  const { submission } = (await booked) as AcceptedTask;
  expect(sent).toHaveLength(2);
  expect(sent[1]?.reservedNano).toBeGreaterThan(sent[0]?.reservedNano ?? 0n);
  expect(submission.rates).toEqual(sent[1]?.rates);
});

it('books nothing where the price is not known any more by then', async () => {
  let times = 0;
  const price = () => {
    times += 1;
    if (times > 2) throw new GatewayError('unavailable', message('service_unavailable'));
    return { rates: {}, reservedNano: 1n };
  };
  const { booked, sent } = bookWith([{ kind: 'no_slot' }], price);
  await expect(booked).rejects.toMatchObject({ code: 'unavailable' });
  expect(sent).toHaveLength(1);
});
