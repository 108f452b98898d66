import { PageHead } from '../../parts/page-head.tsx';
import { Figures } from './figures.tsx';
import { LatestCallbacks } from './latest-callbacks.tsx';
import { LatestTasks } from './latest-tasks.tsx';
import classes from './overview-page.module.css';
import { Spend } from './spend.tsx';
import { say } from './texts.ts';

/** The account's overview: what it ran, what that cost, and what came out. */
export default function OverviewPage() {
  return (
    <>
      <PageHead title={say('title')} />
      <div className="stack">
        <Figures />
        <Spend />
        <div className={classes.lists}>
          <LatestTasks />
          <LatestCallbacks />
        </div>
      </div>
    </>
  );
}
