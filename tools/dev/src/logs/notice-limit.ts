export interface NoticeLimit {
  add(notice: string): void;
  /** Shows what still waits. */
  close(): void;
}

const INTERVAL_MS = 1000;

/** Shows one notice an interval: the first at once, later the latest, with how many before it were left out. */
export function createNoticeLimit(
  show: (notice: string, leftOut: number) => void,
  intervalMs = INTERVAL_MS,
): NoticeLimit {
  let timer: NodeJS.Timeout | undefined;
  let latest: string | undefined;
  let count = 0;

  function showNow(notice: string, leftOut: number): void {
    show(notice, leftOut);
    timer = setTimeout(showWaiting, intervalMs);
    timer.unref();
  }

  function showWaiting(): void {
    timer = undefined;
    if (latest === undefined) return;
    const [notice, leftOut] = [latest, count - 1];
    latest = undefined;
    count = 0;
    showNow(notice, leftOut);
  }

  return {
    add(notice) {
      if (timer === undefined) return showNow(notice, 0);
      latest = notice;
      count += 1;
    },
    close() {
      clearTimeout(timer);
      showWaiting();
      clearTimeout(timer);
    },
  };
}
