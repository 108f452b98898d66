import type { Comparison } from '../comparison';
import { bytes } from './bytes';
import { callbacks } from './callbacks';
import { lifecycle } from './lifecycle';
import { lists } from './lists';
import { marks } from './marks';
import { poll } from './poll';
import { scale } from './scale';
import { streams } from './streams';
import { submit } from './submit';
import { textProxy } from './text-proxy';

/** In the order in which they run. Another goal is another file, and a line here. */
export const COMPARISONS: readonly Comparison[] = [
  submit,
  poll,
  lifecycle,
  callbacks,
  textProxy,
  streams,
  lists,
  scale,
  bytes,
  marks,
];
