import type {
  EmailTemplate,
  TemplateVersion,
  TemplateVersionContent,
  Block,
  Inline,
  TemplateDocument,
  TemplateVariable,
} from '@forecourt/contract/email-templates';
import { Loader, Select } from '@mantine/core';
import { useQuery, hashKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { texts as templates } from '../../texts/email-templates.ts';
import { texts } from '../../texts/template-versions.ts';
import { abilityText } from '../../ui/ability.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useRestoreVersion, versionQuery } from './email-templates.queries.ts';
import { wordDifference, type Piece } from './word-difference.ts';
import styles from './VersionsCompare.module.css';

type VersionsCompareProps = {
  template: EmailTemplate;
  /** Newest first. */
  versions: readonly TemplateVersion[];
  /** The version to compare with the newest one, or if it is the newest, with the one before. */
  chosen: number;
  isDirty: boolean;
  onRestored: (template: EmailTemplate) => void;
  onClose: () => void;
};

/** Two versions side by side with removed and added text. Either can be restored as the newest one. */
export default function VersionsCompare(props: VersionsCompareProps): ReactNode {
  const { template, versions, chosen, isDirty, onRestored, onClose } = props;
  const [newest, previous] = versions.map(({ version }) => version);
  const [before, setBefore] = useState(chosen === newest ? previous! : chosen);
  const [after, setAfter] = useState(newest!);
  const older = useQuery(versionQuery(template._id, before));
  const newer = useQuery(versionQuery(template._id, after));
  const restoring = useRestoreVersion();
  const [message, setMessage] = useState<string | null>(null);
  const ability = isDirty ? texts.restoreUnsaved : abilityText(template.abilities.edit, templates.reasons);

  const restore = async (number: number): Promise<void> => {
    setMessage(null);
    try {
      onRestored(await restoring.mutateAsync({ id: template._id, number, version: newest! }));
      toastDone(texts.restored(number));
      onClose();
    } catch (thrown) {
      setMessage(refusalText(thrown));
    }
  };

  const choices = versions.map((version) => ({ value: String(version.version), label: nameOf(version) }));
  const column = (label: string, number: number, onChange: (number: number) => void): ReactNode => (
    <div className="ui-row ui-bottom">
      <Select
        flex="1 1 240px"
        label={label}
        data={choices}
        value={String(number)}
        onChange={(value) => value !== null && onChange(Number(value))}
      />
      {number !== newest && (
        <ActionButton
          variant="default"
          ability={ability}
          loading={restoring.isPending && restoring.variables.number === number}
          onClick={() => void restore(number)}
        >
          {texts.restore(number)}
        </ActionButton>
      )}
    </div>
  );

  return (
    <Dialog title={texts.compareTitle} size="2xl" onClose={onClose}>
      <FormMessage text={message} />
      <div className={styles.columns}>
        {column(texts.before, before, setBefore)}
        {column(texts.after, after, setAfter)}
      </div>
      <Loaded
        of={[older, newer]}
        message={texts.contentFailed}
        loading={<Loader size={20} aria-label={texts.loading} />}
      />
      {older.data && newer.data && <Difference before={older.data} after={newer.data} />}
    </Dialog>
  );
}

const nameOf = ({ version, createdAt, createdBy }: TemplateVersion): string =>
  `${texts.version(version)}, ${texts.savedBy(formatDateTime(createdAt), createdBy)}`;

/** Returns why the version cannot be restored, with the affected fields. */
function refusalText(thrown: unknown): string {
  if (thrown instanceof ApiError && thrown.code === 'CONFLICT') return texts.changedMeanwhile;
  const fields = thrown instanceof ApiError ? Object.values(thrown.errors) : [];
  return [messageOf(thrown, texts.restoreFailed), ...fields].join(' ');
}

const PARTS = ['name', 'subject', 'body', 'variables'] as const;

type DifferenceProps = { before: TemplateVersionContent; after: TemplateVersionContent };

function Difference({ before, after }: DifferenceProps): ReactNode {
  const [old, now] = [versionTexts(before), versionTexts(after)];
  const isSame = PARTS.every((part) => old[part] === now[part]);
  return (
    <>
      <p className="ui-quiet ui-mt-3" role="status">
        {isSame ? (differsInForm(before, after) ? texts.onlyForm : texts.same) : texts.legend}
      </p>
      {PARTS.map((part) => {
        const pieces = wordDifference(old[part], now[part]);
        return (
          <section key={part} aria-label={texts[part]}>
            <h3 className="ui-mt-4 ui-mb-1">{texts[part]}</h3>
            <div className={styles.columns}>
              <Side label={texts.before} pieces={pieces.filter((piece) => piece.in !== 'after')} />
              <Side label={texts.after} pieces={pieces.filter((piece) => piece.in !== 'before')} />
            </div>
          </section>
        );
      })}
    </>
  );
}

function Side({ label, pieces }: { label: string; pieces: readonly Piece[] }): ReactNode {
  return (
    <div className={`ui-card ${styles.side}`} role="group" aria-label={label}>
      {pieces.length === 0 && <span className="ui-muted">{texts.nothing}</span>}
      {pieces.map((piece, index) => {
        if (piece.in === 'both') return piece.text;
        const Tag = piece.in === 'before' ? 'del' : 'ins';
        // eslint-disable-next-line react/no-array-index-key -- a piece has no identity but its position
        return <Tag key={index}>{piece.text}</Tag>;
      })}
    </div>
  );
}

/** Returns the content of a version as texts to compare, without formats. */
const versionTexts = ({ name, subject, document, variables }: TemplateVersionContent) => ({
  name,
  subject,
  body: bodyText(document),
  variables: variables.map(variableText).join('\n'),
});

/** Whether two versions with equal texts differ in formats, such as bold. */
const differsInForm = (before: TemplateVersionContent, after: TemplateVersionContent): boolean =>
  hashKey([before.document, before.variables]) !== hashKey([after.document, after.variables]);

const bodyText = ({ blocks }: TemplateDocument): string => blocks.flatMap(linesOf).join('\n');

function linesOf(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
      return [inlineText(block.content)];
    case 'heading':
      return [`${'#'.repeat(block.level)} ${inlineText(block.content)}`];
    case 'bulletList':
      return block.items.map(({ content }) => `• ${inlineText(content)}`);
    case 'orderedList':
      return block.items.map(({ content }, index) => `${index + 1}. ${inlineText(content)}`);
    case 'rule':
      return ['———'];
    case 'conditional':
      return [texts.onlyWith(block.key), ...block.blocks.flatMap(linesOf).map((line) => `    ${line}`)];
    case 'button':
      return [`[${inlineText(block.content)}] (${block.href})`];
    case 'table':
      return block.rows.map(({ cells }) => cells.map(({ content }) => inlineText(content)).join(' | '));
    case 'image':
      break;
  }
  return [texts.image(block.alt)];
}

const inlineText = (content: readonly Inline[]): string => content.map(textOf).join('');

function textOf(inline: Inline): string {
  if (inline.type === 'lineBreak') return '\n';
  const text = inline.type === 'variable' ? `{{${inline.key}}}` : inline.text;
  const link = inline.marks?.find((mark) => mark.type === 'link');
  return link ? `${text} (${link.href})` : text;
}

const variableText = ({ key, label, linkedData, defaultValue, required }: TemplateVariable): string =>
  [
    `{{${key}}} ${label}`,
    linkedData ? texts.filledFrom(linkedData) : '',
    defaultValue ? texts.byDefault(defaultValue) : '',
    required ? texts.required : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
