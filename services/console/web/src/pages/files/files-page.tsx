import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Files, Trash2, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { type FileRecord, uploadFile } from '../../api/files.ts';
import { mediaPath } from '../../api/gateway.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilePicker } from '../../parts/file-picker.tsx';
import { IconAction } from '../../parts/icon-action.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { KindIcon } from '../../parts/kind-icon.tsx';
import { Listing } from '../../parts/listing.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { currentLanguage } from '../../texts/languages.ts';
import classes from './files-page.module.css';
import { say } from './texts.ts';

const KEY = ['files'];

/** The files that callers sent, as long as they are kept. */
export default function FilesPage() {
  const list = useCursorList<FileRecord>(KEY, '/v1/files');
  const [doomed, setDoomed] = useState<FileRecord>();
  const columns = useMemo(() => fileColumns(setDoomed), []);
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        <UploadFile />
      </PageHead>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={
          <Empty icon={Files} title={say('none')}>
            {say('none.about')}
          </Empty>
        }
      />
      {doomed && <DeleteFile file={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

function UploadFile() {
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: uploadFile,
    onSuccess: ({ id }) => notify(say('upload.done', { id })),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <FilePicker onPick={upload.mutate}>
      {(props) => (
        <Button {...props} leftSection={<Upload size={14} />} loading={upload.isPending}>
          {say('upload')}
        </Button>
      )}
    </FilePicker>
  );
}

function DeleteFile({ file: { id }, onClose }: { file: FileRecord; onClose(): void }) {
  return (
    <ChangeDialog
      title={say('delete.title')}
      about={say('delete.about')}
      action={say('delete')}
      dangerous
      method="DELETE"
      path={`/v1/files/${id}`}
      affects={KEY}
      asksReason={false}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

function fileColumns(onDelete: (file: FileRecord) => void): readonly Column<FileRecord>[] {
  return [
    {
      id: 'file',
      header: say('column.file'),
      width: 'minmax(0, 2fr)',
      cell: ({ kind, url, content_type: type, width, height, duration }) => (
        <a href={mediaPath(url)} target="_blank" rel="noreferrer" className={classes.file}>
          <KindIcon kind={kind} />
          <span>{type}</span>
          <span className="quiet">{sizeOf(width, height, duration)}</span>
        </a>
      ),
    },
    {
      id: 'id',
      header: say('column.id'),
      width: '150px',
      wideOnly: true,
      cell: ({ id }) => <IdChip id={id} />,
    },
    {
      id: 'bytes',
      header: say('column.bytes'),
      width: '84px',
      align: 'end',
      cell: ({ bytes }) => <span className="number">{bytesText(bytes)}</span>,
    },
    momentColumn('created', say('column.created'), ({ created_at: at }) => at),
    momentColumn('expires', say('column.expires'), ({ expires_at: at }) => at),
    {
      id: 'delete',
      header: '',
      width: '40px',
      align: 'end',
      cell: (file) => (
        <IconAction icon={Trash2} label={say('delete.one', { id: file.id })} onClick={() => onDelete(file)} />
      ),
    },
  ];
}

function sizeOf(width: number | null, height: number | null, duration: number | null): string {
  const seconds = duration === null ? '' : `${duration.toFixed(1)} s`;
  return [width !== null && height !== null ? `${width} × ${height}` : '', seconds].filter(Boolean).join(' · ');
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return (bytes / 1000 ** power).toLocaleString(currentLanguage(), {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
  });
}
