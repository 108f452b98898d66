import { BookCheck, Play } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { useAllowed } from '../../api/roles.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { AuditDialog } from './audit-dialog.tsx';
import { auditColumns } from './columns.tsx';
import { AUDITS, type Audit } from './queries.ts';
import { say } from './texts.ts';

/** Whether the books agree with themselves. */
export default function BooksPage() {
  const [words, change] = useAddress();
  const supports = useAllowed('support');
  const list = useCursorList<Audit>([AUDITS], '/admin/v1/audits');
  const columns = useMemo(auditColumns, []);
  const opened = list.rows?.find(({ id }) => id === words.get('audit'));
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        {supports && (
          <ChangeButton
            button={{ variant: 'filled', leftSection: <Play size={14} /> }}
            title={say('run')}
            about={say('run.about')}
            action={say('run')}
            path="/admin/v1/audits"
            affects={[AUDITS, 'log']}
            done={say('run.done')}
          />
        )}
      </PageHead>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={BookCheck} title={say('none')} />}
      />
      {opened !== undefined && <AuditDialog audit={opened} onClose={() => change({ audit: '' })} />}
    </>
  );
}
