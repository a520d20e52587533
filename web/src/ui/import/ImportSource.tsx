import { Button, FileButton, Textarea } from '@mantine/core';
import FileUp from 'lucide-react/icons/file-up';
import { useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/import.ts';
import { FormMessage } from '../FormMessage.tsx';
import { useFileDrop } from '../uploads/use-file-drop.ts';
import { readTable, TableError, type TextTable } from './text-table.ts';
import styles from './Import.module.css';

type ImportSourceProps = {
  fileName: string | null;
  onTable: (table: TextTable, fileName: string | null) => void;
};

/** The source of an import: a CSV or Excel file, chosen or dropped, or pasted text. */
export function ImportSource({ fileName, onTable }: ImportSourceProps): ReactNode {
  const [pasted, setPasted] = useState('');
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  /** The result of an earlier file is ignored: it may take longer to parse. */
  const newest = useRef<File | string>(null);

  const read = async (source: File | string): Promise<void> => {
    newest.current = source;
    const isNewest = (): boolean => newest.current === source;
    setBusy(true);
    setMessage(null);
    try {
      const table = await readTable(source);
      if (isNewest()) onTable(table, typeof source === 'string' ? null : source.name);
    } catch (thrown) {
      if (isNewest())
        setMessage(thrown instanceof TableError ? texts.problems[thrown.problem] : messageOf(thrown));
    } finally {
      if (isNewest()) setBusy(false);
    }
  };

  const dropTarget = useFileDrop(([file]) => file && void read(file));

  return (
    <div className="ui-stack ui-gap-3">
      <FormMessage text={message} />
      <div className={`ui-row ui-gap-3 ${styles.drop}`} {...dropTarget}>
        <FileButton
          accept=".csv,.tsv,.txt,.xlsx"
          // A new input element, so that the same file can be chosen again after a correction.
          key={fileName}
          onChange={(file) => file && void read(file)}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<FileUp />} loading={busy}>
              {fileName === null ? texts.choose : texts.another}
            </Button>
          )}
        </FileButton>
        <span className="ui-quiet">{fileName ?? texts.dropHere}</span>
      </div>
      {fileName === null && (
        <>
          <Textarea
            label={texts.paste}
            rows={5}
            spellCheck={false}
            value={pasted}
            onChange={(event) => setPasted(event.currentTarget.value)}
          />
          <Button
            className={styles.readPasted}
            variant="default"
            disabled={pasted.trim() === '' || busy}
            onClick={() => void read(pasted)}
          >
            {texts.readPasted}
          </Button>
        </>
      )}
    </div>
  );
}
