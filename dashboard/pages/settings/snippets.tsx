// How a site reports: a script tag, a package, or calls of the owner's server. The URL holds the choice.
import { Link } from 'wouter'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { Facts, Tabs } from '../../parts/panel.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'
import { choiceParam, flagParam, useUrlState } from '../../url.ts'
import { npmSnippet, scriptSnippet, serverSnippet, type SnippetOptions } from './snippet-code.ts'
import styles from './page.module.css'

const text = all.tracking
const ways = ['script', 'npm', 'server'] as const

const codecs = {
  way: choiceParam(ways, 'script'),
  outbound: flagParam,
  downloads: flagParam,
  hash: flagParam,
  vitals: flagParam,
}

export function Snippets() {
  const { key } = useProperty()
  const path = usePropertyPath()
  const [{ way, ...options }, setState] = useUrlState(codecs)
  const choose = (patch: Partial<SnippetOptions>): void => setState(patch, { replace: true })
  return (
    <Tabs
      isSmall
      label={text.ways.label}
      tabs={ways.map((id) => ({ id, label: text.ways[id] }))}
      chosen={way}
      onChoose={(next) => setState({ way: next })}
    >
      <div className={styles.part}>
        {way === 'script' && (
          <>
            <p className={styles.hint}>
              {text.scriptHint} <Link href={path('/start')}>{text.platforms}</Link>
            </p>
            <CodeBlock label={text.scriptLabel} code={scriptSnippet(key, options)} />
            <Options options={options} onChange={choose} />
          </>
        )}
        {way === 'npm' && (
          <>
            <p className={styles.hint}>{text.npmHint}</p>
            <CodeBlock label={text.npmLabel} code={npmSnippet(key, options)} />
            <Options options={options} onChange={choose} />
          </>
        )}
        {way === 'server' && <FromServer propertyKey={key} />}
        <Facts rows={[[text.key, <KeyFact key="key" words={key} />]]} />
      </div>
    </Tabs>
  )
}

const KeyFact = ({ words }: { words: string }) => (
  <>
    <Copyable words={words} />
    <p className={styles.hint}>{text.keyHint}</p>
  </>
)

function FromServer({ propertyKey }: { propertyKey: string }) {
  const path = usePropertyPath()
  const mayMake = useCan('admin')
  return (
    <>
      <p className={styles.hint}>
        {text.serverHint} {mayMake && <Link href={path('/settings/keys')}>{text.toKeys}</Link>}
      </p>
      <CodeBlock label={text.serverLabel} code={serverSnippet(propertyKey)} />
    </>
  )
}

interface OptionsProps {
  readonly options: SnippetOptions
  readonly onChange: (patch: Partial<SnippetOptions>) => void
}

const Options = ({ options, onChange }: OptionsProps) => (
  <fieldset className={styles.options}>
    <legend>{text.options}</legend>
    <Checkbox
      label={text.outbound}
      hint={text.outboundHint}
      isOn={options.outbound}
      onChange={(outbound) => onChange({ outbound })}
    />
    <Checkbox
      label={text.downloads}
      hint={text.downloadsHint}
      isOn={options.downloads}
      onChange={(downloads) => onChange({ downloads })}
    />
    <Checkbox label={text.hash} hint={text.hashHint} isOn={options.hash} onChange={(hash) => onChange({ hash })} />
    <Checkbox
      label={text.vitals}
      hint={text.vitalsHint}
      isOn={options.vitals}
      onChange={(vitals) => onChange({ vitals })}
    />
  </fieldset>
)
