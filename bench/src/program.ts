/**
 * The other end of `startProgram`: what a reference program or an instrument says to the benchmark that forked it. It ends
 * when the benchmark is gone.
 */
export function announce(facts: { port?: number } = {}): void {
  process.once('disconnect', () => process.exit());
  process.send?.(facts);
}

/** Answers each order with one report; a failure is reported too. */
export function serveOrders<Order>(serve: (order: Order) => Promise<object>): void {
  process.on('message', (order) => {
    serve(order as Order).then(
      (report) => process.send?.({ report }),
      (error: Error) => process.send?.({ failure: error.stack ?? error.message }),
    );
  });
}
