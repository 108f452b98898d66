import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from './database';

/** This process at its database, as it stands when it is scraped. */
export function watchDatabase(register: Registry, database: Pick<Database, 'use'>): void {
  watchConnections(register, database);
  watchBatches(register, database);
  watchClock(register, database);
}

function watchConnections(register: Registry, database: Pick<Database, 'use'>): void {
  const registers = [register];
  new Gauge({
    name: 'mediagate_database_connections',
    help: 'Connections of this process to the database, busy and idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy, idle } = database.use().connections;
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'mediagate_database_connections_limit',
    help: 'Connections that this process may have.',
    registers,
    collect() {
      this.set(database.use().connections.limit);
    },
  });
  new Gauge({
    name: 'mediagate_database_waiting',
    help: 'Statements of this process that wait for a connection.',
    registers,
    collect() {
      this.set(database.use().waiting);
    },
  });
}

/** The batchers count by plain numbers, which cost nothing; they are copied when somebody asks. */
function watchBatches(register: Registry, database: Pick<Database, 'use'>): void {
  const described = { labelNames: ['batch'], registers: [register] };
  new Counter({
    name: 'mediagate_database_batches_total',
    help: 'Batches: statements that each wrote or read for several callers.',
    ...described,
    collect() {
      this.reset();
      for (const [batch, { batches }] of database.use().batches) this.inc({ batch }, batches);
    },
  });
  new Counter({
    name: 'mediagate_database_batch_items_total',
    help: 'Items of these batches; an item that is run again counts again. Divided by the batches: items of a statement.',
    ...described,
    collect() {
      this.reset();
      for (const [batch, { items }] of database.use().batches) this.inc({ batch }, items);
    },
  });
  new Gauge({
    name: 'mediagate_database_batch_waiting_items',
    help: 'Items that wait for the next batch, or to be run again after a batch that failed.',
    ...described,
    collect() {
      for (const [batch, { waiting }] of database.use().batches) this.set({ batch }, waiting);
    },
  });
}

function watchClock(register: Registry, database: Pick<Database, 'use'>): void {
  new Gauge({
    name: 'mediagate_clock_ahead_seconds',
    help: "How far this process's clock was ahead of the database's at the last readiness check that the database answered within a second; below zero: behind. Absent: there was none.",
    registers: [register],
    collect() {
      const { clockAheadSeconds } = database.use();
      if (clockAheadSeconds === undefined) this.remove();
      else this.set(clockAheadSeconds);
    },
  });
}
