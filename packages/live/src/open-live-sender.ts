import type { LiveSender } from './delivery';
import type { LiveOptions } from './timing';

/** Opens the side of the worker. */
export declare function openLiveSender(options: LiveOptions): LiveSender;
