import { Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import Bold from 'lucide-react/icons/bold';
import Braces from 'lucide-react/icons/braces';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Italic from 'lucide-react/icons/italic';
import List from 'lucide-react/icons/list';
import ListOrdered from 'lucide-react/icons/list-ordered';
import Minus from 'lucide-react/icons/minus';
import Redo2 from 'lucide-react/icons/redo-2';
import Strikethrough from 'lucide-react/icons/strikethrough';
import Underline from 'lucide-react/icons/underline';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ComponentType, KeyboardEvent, ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { VariableMenu } from '../VariableMenu.tsx';
import { ButtonTool } from './ButtonTool.tsx';
import { ConditionButton } from './ConditionButton.tsx';
import { ImageTool } from './ImageTool.tsx';
import { LinkButton } from './LinkButton.tsx';
import { leaveTable } from './table-commands.ts';
import { TableTool } from './TableTool.tsx';
import { insertVariable } from './variable-commands.ts';
import styles from './Toolbar.module.css';

type Tool = {
  label: string;
  keys?: string;
  icon: ComponentType;
  run: (editor: Editor) => void;
  /** For a format that is on or off; undefined for an action. */
  isOn?: (editor: Editor) => boolean;
  isPossible?: (editor: Editor) => boolean;
};

const format = (name: string, label: string, icon: ComponentType, keys: string): Tool => ({
  label,
  keys,
  icon,
  run: (editor) => editor.chain().focus().toggleMark(name).run(),
  isOn: (editor) => editor.isActive(name),
});

const formats: readonly Tool[] = [
  format('bold', texts.bold, Bold, 'Ctrl+B'),
  format('italic', texts.italic, Italic, 'Ctrl+I'),
  format('underline', texts.underline, Underline, 'Ctrl+U'),
  format('strike', texts.strike, Strikethrough, 'Ctrl+Shift+S'),
];

const blocks: readonly Tool[] = [
  {
    label: texts.bulletList,
    icon: List,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    label: texts.orderedList,
    icon: ListOrdered,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
  {
    label: texts.rule,
    icon: Minus,
    run: (editor) => editor.chain().focus().command(leaveTable).setHorizontalRule().run(),
  },
];

const steps: readonly Tool[] = [
  {
    label: texts.undo,
    keys: 'Ctrl+Z',
    icon: Undo2,
    run: (editor) => editor.chain().focus().undo().run(),
    isPossible: (editor) => editor.can().undo(),
  },
  {
    label: texts.redo,
    keys: 'Ctrl+Shift+Z',
    icon: Redo2,
    run: (editor) => editor.chain().focus().redo().run(),
    isPossible: (editor) => editor.can().redo(),
  },
];

/** The formats and actions of the text. One tab stop; arrow keys move between the buttons. */
export function Toolbar({ editor }: { editor: Editor }): ReactNode {
  return (
    <div
      className={styles.root}
      role="toolbar"
      tabIndex={-1}
      aria-label={texts.toolbar}
      onKeyDown={moveFocus}
    >
      <BlockStyle editor={editor} />
      <Tools editor={editor} tools={formats} />
      <LinkButton editor={editor} />
      <Tools editor={editor} tools={blocks} />
      <div className={styles.group}>
        <ImageTool editor={editor} />
        <ButtonTool editor={editor} />
        <TableTool editor={editor} />
        <ConditionButton editor={editor} />
      </div>
      <Tools editor={editor} tools={steps} />
      <VariableMenu onPick={({ key }) => insertVariable(editor, key)}>
        <UnstyledButton className={styles.wide} tabIndex={-1}>
          <Braces /> {texts.insertVariable}
        </UnstyledButton>
      </VariableMenu>
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const here = buttons.findIndex((button) => button === document.activeElement);
  if (step === undefined || here < 0) return;
  event.preventDefault();
  buttons.at((here + step) % buttons.length)?.focus();
}

function Tools({ editor, tools }: { editor: Editor; tools: readonly Tool[] }): ReactNode {
  const states = useEditorState({
    editor,
    selector: (snapshot) =>
      tools.map(({ isOn, isPossible }) => ({
        on: isOn?.(snapshot.editor),
        possible: isPossible?.(snapshot.editor) ?? true,
      })),
  });
  return (
    <div className={styles.group}>
      {tools.map(({ label, keys, icon: Icon, run }, index) => (
        <Tooltip key={label} label={keys ? `${label} (${keys})` : label}>
          <UnstyledButton
            className={styles.tool}
            tabIndex={-1}
            aria-label={label}
            aria-pressed={states[index]?.on}
            aria-disabled={states[index]?.possible === false || undefined}
            onClick={() => run(editor)}
          >
            <Icon />
          </UnstyledButton>
        </Tooltip>
      ))}
    </div>
  );
}

const levels = [1, 2, 3] as const;

function BlockStyle({ editor }: { editor: Editor }): ReactNode {
  const level = useEditorState({
    editor,
    selector: (snapshot) =>
      levels.find((candidate) => snapshot.editor.isActive('heading', { level: candidate })),
  });
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <UnstyledButton className={styles.style} aria-label={texts.blockStyle}>
          {level === undefined ? texts.paragraph : texts.heading(level)} <ChevronDown size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => editor.chain().focus().setParagraph().run()}>{texts.paragraph}</Menu.Item>
        {levels.map((candidate) => (
          <Menu.Item
            key={candidate}
            className={styles[`heading${candidate}`]}
            onClick={() => editor.chain().focus().setHeading({ level: candidate }).run()}
          >
            {texts.heading(candidate)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
