import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';

/** Where a slow reader of an answer makes its server wait: before the bytes are read, not after. */
export interface ReadGate {
  /** Of the connection that carries the answer. */
  attach(socket: Socket): void;
  /** Makes the client that sends the request hold its answer by the gate. */
  readonly interceptor: Dispatcher.DispatcherComposeInterceptor;
}

/**
 * undici 7 pauses its parser for a slow reader, and a server that says goodbye just then trips an assertion that nobody can
 * catch: any host could end the process (nodejs/undici#5360; mended in 8, which needs Node 22). Here the parser never
 * learns of the pause: its socket has nothing to read until the reader is back.
 */
export function createReadGate(): ReadGate {
  let socket: Socket | undefined;
  let closed = false;

  const close = () => {
    closed = true;
  };
  const open = () => {
    if (!closed) return;
    closed = false;
    // What arrived meanwhile was announced, and nothing was read.
    process.nextTick(() => {
      if (!closed && socket?.destroyed === false) socket.emit('readable');
    });
  };

  return {
    attach(opened) {
      socket = opened;
      const read = opened.read.bind(opened);
      // A read of nothing only asks the kernel for more.
      opened.read = (size) => (closed && size !== 0 ? null : read(size));
    },
    interceptor: (dispatch) => (options, handler) => {
      let own: Dispatcher.DispatchController | undefined;
      const gated = (controller: Dispatcher.DispatchController) => {
        own ??= gatedController(controller, { close, open });
        return own;
      };
      return dispatch(options, {
        onRequestStart: (controller, context) => handler.onRequestStart?.(gated(controller), context),
        onResponseStart: (controller, ...rest) => handler.onResponseStart?.(gated(controller), ...rest),
        onResponseData: (controller, chunk) => handler.onResponseData?.(gated(controller), chunk),
        onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(gated(controller), trailers),
        onResponseError: (controller, error) => handler.onResponseError?.(controller && gated(controller), error),
      });
    },
  };
}

function gatedController(
  controller: Dispatcher.DispatchController,
  gate: { close(): void; open(): void },
): Dispatcher.DispatchController {
  return {
    get aborted() {
      return controller.aborted;
    },
    get reason() {
      return controller.reason;
    },
    get rawHeaders() {
      return controller.rawHeaders ?? null;
    },
    get rawTrailers() {
      return controller.rawTrailers ?? null;
    },
    get paused() {
      return false;
    },
    abort: (reason) => controller.abort(reason),
    pause: gate.close,
    resume: gate.open,
  };
}
