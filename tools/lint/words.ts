/** Function names ending in `Of` or `In` that read best as they are, each with the reason. At most 20. */
export const ALLOWED_FUNCTIONS: Readonly<Record<string, string>> = {
  balanceOf: "the ERC-20 function",
  of: "a constructor of a public class, as in Array.of",
  oneOf: "the usual word for a rule of allowed values",
};

/** Variables that are no noun: participles, pronouns, prepositions and question words. */
const BARE = words`
  one ones found known own told given at place what rest others other asked shown wanted most least
  kept lacking of why made drawn named seen left whole both such said asking lacked needed taken
  passed held how where who when this that these those each any all none it they them which another
  else settled reported listed signed executed ended sold bought placed sorted counted written sent
  received answered expected failed missing unknown used expired stored cached decoded parsed
  computed built added removed closed moved changed followed joined grouped merged by in on with
  into without about before after since until between among beside behind above below under over
  per for as than`;
/** The bare words that the lint rule refuses; the gate counts the others. */
const REFUSED = words`one found known own told given at place what rest others`;

/** Verbs with which functions begin, and auxiliaries of predicates. */
const VERBS = words`
  abort accept accepts acquire adapt add adjust advance aggregate align allow allows analyze
  annotate append apply approve archive are arrange ask assemble assert assign attach attribute
  audit authorize avoid await balance begin bind bisect bound break bring bucket build bundle
  cache calculate calibrate call can cancel cap capture cast catch categorize change check choose
  chunk claim clamp classify clean clear clip clone close collapse collect color combine commit
  compare compile complete compose compress compute concat confine confirm connect consume
  contain contains continue contradict convert copy correct could count cover covers create cross
  cut date debug decide declare decode decompress decorate decrement dedupe deduplicate deepen
  default defer define delay delete deliver demand derive describe deserialize destroy detect
  determine did diff differs disable discard disconnect dispatch display dispose distinguish
  divide do dodge does download drain draw drive drop dump elide embed emit enable encode encrypt
  end endow ends enforce enqueue ensure enter enumerate equals escape estimate evaluate evict
  examine exchange exclude execute exists exit expand expect expire explain explore export expose
  extend extract facet fail fake fall fetch fill filter finalise finalize find finish fit fits
  fix flag flatten flip floor flush fold follow forget format forward free freeze gate gather
  generate get give glue go group grow guard guess had handle hang happen has hash have hide
  highlight hold holds identify ignore imply import impose include includes increase increment
  indent index infer inherit init initialize inject inline insert inspect install intern
  interpolate interpret intersect introduce invalidate invent invert invest invoke is isolate
  iterate join judge jump keep label lay lead learn leave lend limit link lint list listen load
  locate lock log look lookup loop loosen lower make map mark mask match matches may measure meet
  memoize merge might mix modify monitor mount move multiply must mute narrow needs negate
  normalize note notify obey observe obtain occur offer omit open organize outline overlaps
  override oversample pack pad paginate paint parse pass paste pay peek perform permit persist
  pick pin ping plan play pluralize poll pop populate post predict prefer prefetch prefix prepare
  prepend present preserve press prevent print probe process produce project promote prompt
  propagate propose protect prove provide prune publish pull purge push put quantize query queue
  quote raise randomize rank rate reach read reap rearrange reassemble reassign rebase rebuild
  recalculate recall receive recognise recognize recompute reconcile reconnect record recover
  recurse redact redirect redraw reduce reencode refer refetch refine reflect refresh refuse
  register regroup reindex reissue reject relabel relate relax relay release reload remap
  remember remove rename render renew reopen reorder repack repaint repair repeat replace replay
  reply report repost request require rerender rerun resample rescale reschedule resend reserve
  reset reshape resign resize resolve respond restack restamp restart restore restrict resubmit
  resume retain rethrow retrieve retry return reuse reveal reverse revert review revoke rewind
  reword rewrite rotate round route run sample sanitize save say scale scan schedule scroll seal
  search seek select send separate serialize serve set settle shadow shield shift shorten should
  show shrink shuffle shut sign simplify simulate skip sleep slice slide snap snapshot solve sort
  speak splice split spread squash stack stamp start starts stay step stop store stream stretch
  stringify strip style submit subscribe substitute subtract succeed suggest sum summarize supply
  supports survives suspend swap switch sync synchronize tabulate tag take tally teach tell
  terminate test throttle throw tick to toggle tokenize tolerate touch trace track transfer
  transform translate transpose traverse trim truncate try tune turn undo unescape unify union
  unite unlock unmount unpack unregister unroll unset untie unwrap unzip update upgrade upload
  use validate vary verify view visit wait walk warn was watch weigh were widen will would wrap
  write yield zip`;

const PARTICIPLE_TYPE =
  /^(?:[A-Z][a-z]+(?:ing|ed)|Kept|Told|Drawn|Shown|Made|Known|Seen|Found|Sent|Unsent|Sold|Given|Held)$/;
/** Nouns that only look like participles. */
const NOUNS = words`
  Binding Bridging Feed Funding Heading Listing Need Recording Ranking Rating Rounding Seed Setting Speed
  String Timing Warning`;

function words(text: TemplateStringsArray): ReadonlySet<string> {
  return new Set(text.join("").trim().split(/\s+/));
}

/** Whether a function's name is half a sentence: `textOf(x)`, `rowsIn(x)`. */
export function isHalfSentence(name: string): boolean {
  return /[a-z0-9](?:Of|In)$|^(?:of|in)$/.test(name);
}

/** Whether a function's name begins with a verb, an auxiliary (`is`, `has`) or `to`. */
export function beginsWithVerb(name: string): boolean {
  return VERBS.has(/^[a-z0-9]+/.exec(name)?.[0] ?? "");
}

/** Whether a type is named by one participle or gerund. */
export function isParticipleType(name: string): boolean {
  return PARTICIPLE_TYPE.test(name) && !NOUNS.has(name);
}

/** Whether a variable is named by one word that is no noun. */
export function isBareWord(name: string): boolean {
  return BARE.has(name);
}

/** Whether the lint rule refuses a bare word. */
export function isRefusedWord(name: string): boolean {
  return REFUSED.has(name);
}

/** Whether a limit is named `MOST_…` or `LEAST_…` instead of `MAX_…` or `MIN_…`. */
export function isOldLimit(name: string): boolean {
  return /^(?:MOST|LEAST)_/.test(name);
}

/** Whether a doc begins with a question word: a relative clause instead of a statement. */
export function beginsWithQuestion(doc: string): boolean {
  return /^(?:What|How|Where|When|Why|Who)\b/.test(doc);
}
