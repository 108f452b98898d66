import { Link } from 'react-router';
import { Dialog } from '../../parts/dialog.tsx';
import { Table } from '../../parts/table.tsx';
import classes from './audit-dialog.module.css';
import { Found } from './columns.tsx';
import { type Audit, pathOf, placeOf, type Violation } from './queries.ts';
import { say } from './texts.ts';

/** The violations of each invariant, and where to look. */
export function AuditDialog({ audit, onClose }: { audit: Audit; onClose(): void }) {
  const byInvariant = Map.groupBy(audit.violations, ({ invariant }) => invariant);
  return (
    <Dialog onClose={onClose} size="xl" title={audit.id}>
      <div className="stack">
        <div>
          <Found audit={audit} />
        </div>
        {byInvariant.size === 0 && audit.state === 'ended' && <p className="quiet">{say('clean.about')}</p>}
        {[...byInvariant].map(([invariant, violations]) => (
          <Invariant key={invariant} name={invariant} violations={violations} />
        ))}
      </div>
    </Dialog>
  );
}

function Invariant({ name, violations }: { name: string; violations: readonly Violation[] }) {
  return (
    <section className="stack">
      <h2>{name}</h2>
      <p className={classes.advice}>{say(`place.${placeOf(name)}`)}</p>
      <Table
        caption={name}
        rows={violations}
        rowId={({ subject, detail }) => `${subject} ${detail}`}
        columns={[
          { header: say('subject'), cell: ({ subject }) => <Subject id={subject} /> },
          { header: say('detail'), className: classes.detail, cell: ({ detail }) => detail },
        ]}
      />
    </section>
  );
}

function Subject({ id }: { id: string }) {
  const path = pathOf(id);
  return path === undefined ? <code>{id}</code> : <Link to={path}>{id}</Link>;
}
