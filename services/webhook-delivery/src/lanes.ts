export interface LaneItem {
  /** The delivery's id. */
  id: string;
  accountId: string;
  /** Where it goes, port included. */
  host: string;
}

export interface LaneLimits {
  /** In flight to one host, in this process. */
  perHost: number;
  /** In flight for one account, over all its hosts: host names cost nothing, so a cap on hosts alone would not hold. */
  perAccount: number;
  /** Waiting for a place, of one account. */
  maxParkedPerAccount: number;
  /** Waiting for a place, in total. */
  maxParked: number;
}

export interface Lanes<Item extends LaneItem> {
  /** True: it has a place, and `leave` must follow. False: it waits here, or there was no room to wait. */
  enter(item: Item): boolean;
  /** Gives the place back, and gives one to whoever waits for it: the caller goes on with that one. */
  leave(item: Item): Item | undefined;
  /** From now on nothing that waits gets a place. Returns what waited. */
  close(): Item[];
  parkedCount(): number;
}

/**
 * Keeps a receiver that hangs from delaying anybody else. A delivery whose host or account has its share in flight waits in
 * memory and holds no slot of the queue's consumer; whoever frees a place takes the next one over, so what is in flight
 * never exceeds the consumer's own concurrency.
 *
 * What waits is still leased in the database, and nobody renews that lease: when it ends the reconciler wakes the delivery,
 * and the new claim replaces the old one in its place here. So what a process forgets, by a crash or for want of room, is
 * merely later. Within a host of one account the order is that of arrival; lanes take turns.
 */
export function createLanes<Item extends LaneItem>(limits: LaneLimits): Lanes<Item> {
  const inFlight = new Map<string, number>();
  const lanes = new Map<string, Map<string, Item>>();
  const parkedByAccount = new Map<string, number>();
  let parked = 0;
  let closed = false;

  function hasPlace(item: Item): boolean {
    return count(inFlight, hostKey(item)) < limits.perHost && count(inFlight, accountKey(item)) < limits.perAccount;
  }

  function occupy(item: Item, places: 1 | -1): void {
    add(inFlight, hostKey(item), places);
    add(inFlight, accountKey(item), places);
  }

  function park(item: Item): void {
    const lane = lanes.get(laneKey(item)) ?? new Map<string, Item>();
    if (!lane.has(item.id)) {
      if (parked >= limits.maxParked) return;
      if (count(parkedByAccount, item.accountId) >= limits.maxParkedPerAccount) return;
      parked += 1;
      add(parkedByAccount, item.accountId, 1);
    }
    // A known id keeps its place in the line.
    lane.set(item.id, item);
    lanes.set(laneKey(item), lane);
  }

  function unpark(key: string, lane: Map<string, Item>, item: Item): void {
    lane.delete(item.id);
    parked -= 1;
    add(parkedByAccount, item.accountId, -1);
    // To the back of the turn.
    lanes.delete(key);
    if (lane.size > 0) lanes.set(key, lane);
  }

  return {
    enter(item) {
      if (!lanes.has(laneKey(item)) && hasPlace(item)) {
        occupy(item, 1);
        return true;
      }
      if (!closed) park(item);
      return false;
    },
    leave(item) {
      occupy(item, -1);
      for (const [key, lane] of lanes) {
        for (const next of lane.values()) {
          if (!hasPlace(next)) break;
          unpark(key, lane, next);
          occupy(next, 1);
          return next;
        }
      }
      return undefined;
    },
    close() {
      closed = true;
      const waiting = [...lanes.values()].flatMap((lane) => [...lane.values()]);
      lanes.clear();
      parkedByAccount.clear();
      parked = 0;
      return waiting;
    },
    parkedCount: () => parked,
  };
}

const hostKey = (item: LaneItem): string => `host ${item.host}`;
const accountKey = (item: LaneItem): string => `account ${item.accountId}`;
const laneKey = (item: LaneItem): string => `${item.accountId} ${item.host}`;

function count(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

/** A count of zero is removed, so the map is as large as what is under way. */
function add(counts: Map<string, number>, key: string, change: number): void {
  const value = count(counts, key) + change;
  if (value === 0) counts.delete(key);
  else counts.set(key, value);
}
