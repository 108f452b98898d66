// The floor of a callback: undici POSTs a signed body of the product over kept connections, and durable rows of as many bytes
// as a callback of the product writes are added, in one commit for each. No job, no address judged, no retry, no log. An order
// is one slice.

import type { FloorOrder, FloorReport } from '../src/product/order-contender';
import { announce, serveOrders } from '../src/program';
import { createFloorSender, runUnits } from './floor-callback';
import { openFloorLog } from './floor-log';

const { DATABASE_URL = '', PORTS = '', WEBHOOK_SECRET = '', BODY = '', BYTES = '', CONCURRENCY = '' } = process.env;
const bytes = Number(BYTES);
const send = createFloorSender({ ports: PORTS.split(',').map(Number), secret: WEBHOOK_SECRET, body: BODY });
let sent = 0;

void openFloorLog(DATABASE_URL).then((log) => {
  const unit = async () => {
    sent += 1;
    await send(`floor_${sent}`);
    await log.write(bytes);
  };
  serveOrders(async ({ run }: FloorOrder): Promise<FloorReport> => {
    return { seconds: await runUnits(run, { atOnce: Number(CONCURRENCY), unit }) };
  });
  announce();
});
