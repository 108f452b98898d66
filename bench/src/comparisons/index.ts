import type { Comparison } from '../comparison';
import { bytes } from './bytes';
import { callbacks } from './callbacks';
import { costs } from './costs';
import { inFlight } from './in-flight';
import { lifecycle } from './lifecycle';
import { lists } from './lists';
import { neighbours } from './neighbours';
import { poll } from './poll';
import { reservations } from './reservations';
import { scale } from './scale';
import { streams } from './streams';
import { submit } from './submit';
import { submitLatency } from './submit-latency';
import { textProxy } from './text-proxy';
import { waiting } from './waiting';

/** In the order in which they run. Another goal is another file, and a line here. */
export const COMPARISONS: readonly Comparison[] = [
  submit,
  reservations,
  submitLatency,
  poll,
  lifecycle,
  callbacks,
  textProxy,
  streams,
  inFlight,
  neighbours,
  waiting,
  lists,
  scale,
  costs,
  bytes,
];
