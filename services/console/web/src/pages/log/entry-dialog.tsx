import { Link } from 'react-router';
import { Dialog } from '../../parts/dialog.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { currentLanguage } from '../../texts/languages.ts';
import type { Action } from './columns.tsx';
import { type Difference, differencesOf } from './differences.ts';
import classes from './log-page.module.css';
import { say } from './texts.ts';

/** An entry of the audit log: who changed what, why, and what it was before. */
export function EntryDialog({ entry, onClose }: { entry: Action; onClose(): void }) {
  const { action, actor, actor_name: name, subject, reason, created, detail } = entry;
  const differences = differencesOf(entry.before, entry.after);
  return (
    <Dialog onClose={onClose} size="lg" title={<code>{action}</code>}>
      <div className="stack">
        <FactList
          facts={[
            [
              say('column.actor'),
              <Link key="actor" to={`/log?actor=${encodeURIComponent(actor)}`} title={actor}>
                {name ?? actor}
              </Link>,
            ],
            [
              say('column.subject'),
              <span key="subject" className="row">
                <IdChip id={subject} />
                <Link to={`/log?subject=${encodeURIComponent(subject)}`}>{say('entry.ofSubject')}</Link>
              </span>,
            ],
            [say('column.reason'), reason ?? say('entry.noReason')],
            [say('column.created'), <Moment key="created" at={created} />],
          ]}
        />
        {differences.length === 0 ? <p className="quiet">{say('entry.same')}</p> : <Differences of={differences} />}
        {detail !== undefined && <JsonView value={detail} />}
      </div>
    </Dialog>
  );
}

function Differences({ of }: { of: readonly Difference[] }) {
  return (
    <Table
      caption={say('entry.changes')}
      rows={of}
      rowId={({ field }) => field}
      columns={[
        { header: say('entry.field'), cell: ({ field }) => <code>{field}</code> },
        {
          header: say('entry.before'),
          cell: ({ before }) => (before === undefined ? '–' : <del className={classes.before}>{readable(before)}</del>),
        },
        {
          header: say('entry.after'),
          cell: ({ after }) => (after === undefined ? '–' : <ins className={classes.after}>{readable(after)}</ins>),
        },
      ]}
    />
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const TIMES = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });

/** Times in the reader's zone; all else as it is. */
function readable(text: string): string {
  return TIME.test(text) ? TIMES.format(new Date(text)) : text;
}
