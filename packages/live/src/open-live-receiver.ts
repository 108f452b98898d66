import type { LiveReceiver } from './listening';
import type { LiveOptions } from './timing';

/** Opens the side of the API: one stream and two connections, however many callers wait. */
export declare function openLiveReceiver(options: LiveOptions): LiveReceiver;
