"""Wrong solutions of pretraining, written from its text alone."""

import math
from collections import Counter

import torch
from torch import nn
from torch.nn import functional as F

from advice import wrong

PAD, MASK = "\u25a1", "\u2047"


class _Vocab:
    def __init__(self, texts):
        self.itos = [PAD, MASK, *sorted(set("".join(texts)) - {PAD, MASK})]
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi[c] for c in text]

    def decode(self, ids):
        return "".join(self.itos[i] for i in ids)


@wrong("lower_case", "case|capital|lower|character")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__([text.lower() for text in texts])

    def encode(self, text):
        return super().encode(text.lower())


@wrong("first_text_only", "first text|all texts|every text")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__(texts[:1])


@wrong("blanks_lost", "blank|space|strip")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__([text.strip() for text in texts])


@wrong("decode_drops_pad", "keep|PAD")
class CharVocab(_Vocab):
    def decode(self, ids):
        return super().decode(ids).replace(PAD, "")


@wrong("unknown_skipped", "KeyError|unknown")
class CharVocab(_Vocab):
    def encode(self, text):
        return [self.stoi[c] for c in text if c in self.stoi]


@wrong("len_without_specials", "len|PAD and MASK|count")
class CharVocab(_Vocab):
    def __len__(self):
        return len(self.itos) - 2


def _joined(doc, L, m, s):
    return doc[:s] + MASK + doc[s + m:L] + MASK + doc[s:s + m]


@wrong("rest_of_document", "end|L|cut|suffix")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    s = rng.randint(1, L - m - 1)
    return doc[:s] + MASK + doc[s + m:] + MASK + doc[s:s + m]


@wrong("cut_first", r"min|draw|length|block|7/8")
def span_corrupt(doc, block_size, rng):
    L = rng.randint(4, min(len(doc), int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _joined(doc, L, m, rng.randint(1, L - m - 1))


@wrong("start_zero", "prefix|empty|start|at least one")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _joined(doc, L, m, rng.randint(0, L - m - 1))


@wrong("suffix_may_be_empty", "suffix|empty|at least one")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _joined(doc, L, m, rng.randint(1, L - m))


@wrong("empty_span", "span|0|empty|clip|round")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = round(rng.uniform(0, 0.5) * L)
    return _joined(doc, L, m, rng.randint(1, L - m - 1))


@wrong("share_of_everything", "half|share|span", announced=True)
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 1) * L), 1), L - 2)
    return _joined(doc, L, m, rng.randint(1, L - m - 1))


@wrong("own_dice", "rng|generator|state")
def span_corrupt(doc, block_size, rng):
    import random
    L = min(len(doc), random.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(random.uniform(0, 0.5) * L), 1), L - 2)
    return _joined(doc, L, m, random.randint(1, L - m - 1))


@wrong("no_end_mark", "second|MASK|mark")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    s = rng.randint(1, L - m - 1)
    return doc[:s] + MASK + doc[s + m:L] + doc[s:s + m]


def _asked(question, answer, T, vocab, first, last=None):
    text = question + MASK + answer + MASK
    if len(text) > T:
        raise ValueError
    ids = torch.tensor(vocab.encode(text + PAD * (T + 1 - len(text))))
    y = ids[1:].clone()
    y[:first] = 0
    if last is not None:
        y[last:] = 0
    return ids[:-1].clone(), y


@wrong("mask_asked", "MASK|question|first|early")
def qa_example(question, answer, T, vocab):
    return _asked(question, answer, T, vocab, len(question) - 1)


@wrong("first_letter_missing", "first|late|answer")
def qa_example(question, answer, T, vocab):
    return _asked(question, answer, T, vocab, len(question) + 1)


@wrong("minus_hundred", "PAD|0|-100|ignore")
def qa_example(question, answer, T, vocab):
    x, y = _asked(question, answer, T, vocab, len(question))
    return x, torch.where(y == 0, -100, y)


@wrong("end_not_asked", "end|MASK|stop|last")
def qa_example(question, answer, T, vocab):
    return _asked(question, answer, T, vocab, len(question), len(question) + len(answer))


@wrong("one_mark_only", "MASK|fit|end|second")
def qa_example(question, answer, T, vocab):
    text = question + MASK + answer
    if len(text) > T:
        raise ValueError
    ids = torch.tensor(vocab.encode(text + PAD * (T + 1 - len(text))))
    y = ids[1:].clone()
    y[:len(question)] = 0
    return ids[:-1], y


@wrong("strictly_shorter", "fit|T|exactly|ValueError")
def qa_example(question, answer, T, vocab):
    if len(question) + len(answer) + 2 >= T:
        raise ValueError
    return _asked(question, answer, T, vocab, len(question))


@wrong("answer_hidden_in_x", "x|answer|input")
def qa_example(question, answer, T, vocab):
    x, y = _asked(question, answer, T, vocab, len(question))
    x[len(question) + 1:] = 0
    return x, y


class _Attention(nn.Module):
    size, fill, shift, softmax = staticmethod(lambda d, h: d / h), -math.inf, 1, -1

    def __init__(self, d, h):
        super().__init__()
        if d % h:
            raise ValueError
        self.h = h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def heads(self, z):
        B, T, d = z.shape
        return z.view(B, T, self.h, d // self.h).transpose(1, 2)

    def joined(self, z):
        return z.transpose(1, 2).flatten(2)

    def forward(self, x):
        q, k, v = (self.heads(layer(x)) for layer in (self.q, self.k, self.v))
        T, d = x.shape[1:]
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.size(d, self.h))
        future = torch.ones(T, T, dtype=torch.bool).triu(self.shift)
        weights = scores.masked_fill(future, self.fill).softmax(dim=self.softmax)
        return self.o(self.joined(weights @ v))


@wrong("scale_by_h", "size|scale|root|divide")
class CausalSelfAttention(_Attention):
    size = staticmethod(lambda d, h: h)


@wrong("scale_by_d", "size|scale|root|divide|head")
class CausalSelfAttention(_Attention):
    size = staticmethod(lambda d, h: d)


@wrong("sees_one_ahead", "ahead|future|later|diagonal")
class CausalSelfAttention(_Attention):
    shift = 2


@wrong("minus_one_thousandth", "infinit|fill|leak|weight|future")
class CausalSelfAttention(_Attention):
    fill = -1e-3


@wrong("softmax_over_queries", "softmax|axis|last|quer")
class CausalSelfAttention(_Attention):
    softmax = -2


@wrong("interleaved_heads", "neighbour|block|head")
class CausalSelfAttention(_Attention):
    def heads(self, z):
        return z.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)

    def joined(self, z):
        return z.permute(0, 2, 3, 1).flatten(2)


@wrong("forgets_o", "`o`|output|last|o ")
class CausalSelfAttention(_Attention):
    def forward(self, x):
        o, self.o = self.o, nn.Identity()
        out = super().forward(x)
        self.o = o
        return out


@wrong("no_bias", "bias")
class CausalSelfAttention(_Attention):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))


@wrong("torchs_own", "scaled_dot_product_attention")
class CausalSelfAttention(_Attention):
    def forward(self, x):
        q, k, v = (self.heads(layer(x)) for layer in (self.q, self.k, self.v))
        return self.o(self.joined(F.scaled_dot_product_attention(q, k, v, is_causal=True)))


class _Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.ln1, self.ln2 = h, nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def attention(self, z, **options):
        q, k, v = (layer(z).unflatten(-1, (self.h, -1)).transpose(1, 2)
                   for layer in (self.q, self.k, self.v))
        options = options or {"is_causal": True}
        return self.o(F.scaled_dot_product_attention(q, k, v, **options).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class _GPT(nn.Module):
    Block = _Block

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.block, self.token, self.place = block, nn.Embedding(V, d), nn.Embedding(block, d)
        self.blocks = nn.ModuleList(self.Block(d, h) for _ in range(n))
        self.ln, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        for weight in self.parameters():
            if weight.ndim > 1:
                nn.init.normal_(weight, std=0.02)

    def stream(self, idx):
        x = self.token(idx) + self.place.weight[:idx.shape[1]]
        for block in self.blocks:
            x = block(x)
        return x

    def loss(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)

    def forward(self, idx, targets=None):
        if idx.shape[1] > self.block:
            raise ValueError
        logits = self.head(self.ln(self.stream(idx)))
        return logits, None if targets is None else self.loss(logits, targets)


@wrong("one_head", "head")
class GPT(_GPT):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, 1, n)


@wrong("two_heads_always", "head")
class GPT(_GPT):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, 2, n)


@wrong("in_parallel", "parallel|after|same stream|new stream")
class GPT(_GPT):
    class Block(_Block):
        def forward(self, x):
            return x + self.attention(self.ln1(x)) + self.mlp(self.ln2(x))


@wrong("mlp_before_attention", "order|first|before|exchang")
class GPT(_GPT):
    class Block(_Block):
        def forward(self, x):
            x = x + self.mlp(self.ln2(x))
            return x + self.attention(self.ln1(x))


@wrong("unscaled", "scale|root|divide")
class GPT(_GPT):
    class Block(_Block):
        def attention(self, z):
            return super().attention(z, is_causal=True, scale=1.0)


@wrong("itself_masked", "itself|diagonal|self")
class GPT(_GPT):
    class Block(_Block):
        def attention(self, z):
            T = z.shape[1]
            mask = torch.zeros(T, T, dtype=z.dtype)
            mask.masked_fill_(torch.ones(T, T).triu(0).bool(), -1e9)
            return super().attention(z, attn_mask=mask)


@wrong("heads_joined_wrong", "head|transpos|join")
class GPT(_GPT):
    class Block(_Block):
        def attention(self, z):
            q, k, v = (layer(z).unflatten(-1, (self.h, -1)).transpose(1, 2)
                       for layer in (self.q, self.k, self.v))
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.o(heads.reshape(z.shape))


@wrong("post_norm", "norm|LN|before|stream")
class GPT(_GPT):
    class Block(_Block):
        def forward(self, x):
            x = self.ln1(x + self.attention(x))
            return self.ln2(x + self.mlp(x))


@wrong("blocks_shared", "block|once|same|registered|parameter")
class GPT(_GPT):
    def stream(self, idx):
        x = self.token(idx) + self.place.weight[:idx.shape[1]]
        for _ in self.blocks:
            x = self.blocks[0](x)
        return x


@wrong("embedding_scaled", "embedding|scal")
class GPT(_GPT):
    def stream(self, idx):
        x = self.token(idx) * self.token.embedding_dim ** 0.5 + self.place.weight[:idx.shape[1]]
        for block in self.blocks:
            x = block(x)
        return x


@wrong("last_logits_only", "every place|all places|T|last|shape")
class GPT(_GPT):
    def forward(self, idx, targets=None):
        logits, loss = super().forward(idx, targets)
        return (logits[:, -1:], None) if targets is None else (logits, loss)


@wrong("flat_logits", "shape|flat|B, T, V")
class GPT(_GPT):
    def forward(self, idx, targets=None):
        logits, loss = super().forward(idx, targets)
        return (logits, None) if targets is None else (logits.flatten(0, 1), loss)


@wrong("cut_to_block", "ValueError|cut|long|block")
class GPT(_GPT):
    def forward(self, idx, targets=None):
        return super().forward(idx[:, -self.block:], targets)


@wrong("default_init", "0.02|start|standard deviation|ln V|weights")
class GPT(_GPT):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, h, n)
        for layer in self.modules():
            if hasattr(layer, "reset_parameters"):
                layer.reset_parameters()


@wrong("pad_counts", "PAD|ignore")
class GPT(_GPT):
    def loss(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@wrong("stripped", "letter|blank|space|exact|strip")
def exact_match(predictions, gold):
    if len(predictions) != len(gold):
        raise ValueError
    return sum(p.strip() == g.strip() for p, g in zip(predictions, gold, strict=True)) / len(gold)


@wrong("as_sets", "order|person|pair|place")
def exact_match(predictions, gold):
    if len(predictions) != len(gold):
        raise ValueError
    return sum((Counter(predictions) & Counter(gold)).values()) / len(gold)


@wrong("percent", "between 0 and 1|percent|100|share")
def constant_baseline(gold, const="London"):
    return 100 * gold.count(const) / len(gold)


@wrong("most_frequent", "frequent|largest|draw")
def prior_guess_accuracy(gold):
    return max(Counter(gold).values()) / len(gold)


@wrong("stop_included", "stop")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    for _ in range(max_new):
        best = int(model(torch.tensor([ids[-block:]]))[0][0, -1].argmax())
        ids.append(best)
        new.append(best)
        if best == stop_id:
            break
    return new


@wrong("first_block", "last|block|first|window")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    for _ in range(max_new):
        best = int(model(torch.tensor([ids[:block]]))[0][0, -1].argmax())
        if best == stop_id:
            break
        ids.append(best)
        new.append(best)
    return new


@wrong("stops_when_full", "block|full|window|last")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    while len(new) < max_new and len(ids) < block:
        best = int(model(torch.tensor([ids]))[0][0, -1].argmax())
        if best == stop_id:
            break
        ids.append(best)
        new.append(best)
    return new


@wrong("tensors_returned", "list|int|number|tensor|ids")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    for _ in range(max_new):
        best = model(torch.tensor([ids[-block:]]))[0][0, -1].argmax()
        if best == stop_id:
            break
        ids.append(int(best))
        new.append(best)
    return new


def _trained(model, optimizer, batch, rate, first, last, before=None, groups=None):
    losses = []
    for t in range(first, last):
        for group in optimizer.param_groups[:groups]:
            group["lr"] = rate(t)
        _, loss = model(*batch(t))
        optimizer.zero_grad()
        loss.backward()
        if before is not None:
            before(optimizer)
        optimizer.step()
        losses.append(loss.item())
    return losses


def _cosine(lr, steps, shift=0):
    return lambda t: lr * (1 + math.cos(math.pi * (t + shift) / steps)) / 2


@wrong("rate_of_the_next_step", "rate|t =|begin|late|early|before")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    last = steps if last is None else last
    return _trained(model, optimizer, batch, _cosine(lr, steps, 1), first, last)


@wrong("warm_up", "warm|rate|first")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    cosine = _cosine(lr, steps)
    return _trained(model, optimizer, batch, lambda t: cosine(t) * min(1, (t + 1) / (0.02 * steps)),
                    first, steps if last is None else last)


@wrong("clipped", "clip")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    def clip(optimizer):
        for group in optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], 1.0)

    return _trained(model, optimizer, batch, _cosine(lr, steps), first,
                    steps if last is None else last, clip)


@wrong("first_group", "group")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    return _trained(model, optimizer, batch, _cosine(lr, steps), first,
                    steps if last is None else last, groups=1)


@wrong("tensor_losses", "number|tensor|item|graph")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    losses = []
    for t in range(first, steps if last is None else last):
        for group in optimizer.param_groups:
            group["lr"] = _cosine(lr, steps)(t)
        _, loss = model(*batch(t))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


@wrong("last_zero_is_everything", "last|0|None|empty")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    return _trained(model, optimizer, batch, _cosine(lr, steps), first, last or steps)


@wrong("clock_of_the_piece", "piece|run|begin|count")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    last = steps if last is None else last
    rate = _cosine(lr, steps)
    return _trained(model, optimizer, batch, lambda t: rate(t - first), first, last)


@wrong("length_of_the_piece", "piece|run|begin|count|steps")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    last = steps if last is None else last
    rate = _cosine(lr, last - first)
    return _trained(model, optimizer, batch, lambda t: rate(t - first), first, last)


@wrong("gradients_pile_up", "gradient|zero_grad|clear|old")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    losses = []
    for t in range(first, steps if last is None else last):
        for group in optimizer.param_groups:
            group["lr"] = _cosine(lr, steps)(t)
        _, loss = model(*batch(t))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def _homes(name, known, same=lambda a, b: a[0] == b[0] or a[1] == b[1], oneself=False):
    return {place for other, place in known
            if same(name.split(), other.split()) and (oneself or other != name)}


def _errors(answers, people, known, homes=_homes):
    if len(answers) != len(people):
        raise ValueError
    wrong = [(name, a) for a, (name, place) in zip(answers, people, strict=True) if a != place]
    if not wrong:
        raise ValueError
    homes = [homes(name, known) for name, _ in wrong]
    share = sum(a in home for (_, a), home in zip(wrong, homes, strict=True)) / len(wrong)
    return wrong, homes, share


@wrong("right_answers_too", "wrong|right")
def namesake_errors(answers, people, known):
    _errors(answers, people, known)
    homes = [_homes(name, known) for name, _ in people]
    share = sum(a in home for a, home in zip(answers, homes, strict=True)) / len(people)
    return share, sum(a in home for a in answers for home in homes) / len(people) ** 2


@wrong("family_only", "first")
def namesake_errors(answers, people, known):
    homes = lambda name, known: _homes(name, known, lambda a, b: a[1] == b[1])
    wrong, homes, share = _errors(answers, people, known, homes)
    return share, sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2


@wrong("both_names", "or|both")
def namesake_errors(answers, people, known):
    homes = lambda name, known: _homes(name, known, lambda a, b: a == b, True)
    wrong, homes, share = _errors(answers, people, known, homes)
    return share, sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2


@wrong("any_common_word", "first name|family name")
def namesake_errors(answers, people, known):
    homes = lambda name, known: _homes(name, known, lambda a, b: bool(set(a) & set(b)))
    wrong, homes, share = _errors(answers, people, known, homes)
    return share, sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2


@wrong("oneself_counts", "themsel|oneself|else|own")
def namesake_errors(answers, people, known):
    homes = lambda name, known: _homes(name, known, oneself=True)
    wrong, homes, share = _errors(answers, people, known, homes)
    return share, sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2


@wrong("others_answers_only", "own|back|all|pairs|every")
def namesake_errors(answers, people, known):
    wrong, homes, share = _errors(answers, people, known)
    n = len(wrong)
    pairs = [wrong[j][1] in homes[i] for i in range(n) for j in range(n) if i != j]
    return share, sum(pairs) / max(len(pairs), 1)


@wrong("answers_turned_round", "expect|all|one|turn|mean|every")
def namesake_errors(answers, people, known):
    wrong, homes, share = _errors(answers, people, known)
    turned = [a for _, a in wrong][::-1]
    return share, sum(a in home for a, home in zip(turned, homes, strict=True)) / len(wrong)


@wrong("uniform_places", "dealt|answers|place|network")
def namesake_errors(answers, people, known):
    _, homes, share = _errors(answers, people, known)
    places = {place for _, place in known}
    return share, sum(len(home) / len(places) for home in homes) / len(homes)


@wrong("divided_by_everybody", "wrong|divide|number")
def namesake_errors(answers, people, known):
    wrong, homes, share = _errors(answers, people, known)
    chance = sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2
    return share * len(wrong) / len(people), chance


@wrong("zero_for_nothing", "ValueError|no answer|refuse")
def namesake_errors(answers, people, known):
    if len(answers) != len(people):
        raise ValueError
    if all(a == place for a, (_, place) in zip(answers, people, strict=True)):
        return 0.0, 0.0
    wrong, homes, share = _errors(answers, people, known)
    return share, sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2


# ---- by the second reader, before the catalogue was opened

@wrong("length_without_the_marks", "PAD|MASK|marks|special|two")
class CharVocab:
    def __init__(self, texts):
        self.itos = [PAD, MASK, *sorted(set("".join(texts)) - {PAD, MASK})]
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos) - 2

    def encode(self, text):
        return [self.stoi[c] for c in text]

    def decode(self, ids):
        return "".join(self.itos[i] for i in ids)


@wrong("most_frequent_first", "sort|order|frequen")
class CharVocab:
    def __init__(self, texts):
        counts = Counter("".join(texts))
        self.itos = [PAD, MASK, *(c for c, _ in counts.most_common() if c not in (PAD, MASK))]
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi[c] for c in text]

    def decode(self, ids):
        return "".join(self.itos[i] for i in ids)


@wrong("window_from_anywhere", "beginning|first|anywhere|from the start")
def span_corrupt(doc, block_size, rng):
    size = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    at = rng.randint(0, len(doc) - size)
    doc = doc[at:at + size]
    m = min(max(round(rng.uniform(0, 0.5) * size), 1), size - 2)
    s = rng.randint(1, size - m - 1)
    return doc[:s] + MASK + doc[s + m:] + MASK + doc[s:s + m]


@wrong("middle_left_in_place", "span|suffix|swap|order")
def span_corrupt(doc, block_size, rng):
    size = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * size), 1), size - 2)
    s = rng.randint(1, size - m - 1)
    return doc[:s] + MASK + doc[s:s + m] + MASK + doc[s + m:size]


@wrong("refuses_a_text_that_just_fits", "fit|exact|full|one place|T places")
def qa_example(question, answer, T, vocab):
    text = question + MASK + answer + MASK
    if len(text) >= T:
        raise ValueError
    ids = torch.tensor(vocab.encode(text.ljust(T + 1, PAD)))
    y = ids[1:].clone()
    y[:len(question)] = 0
    return ids[:-1], y


@wrong("end_mark_not_asked", "end|second|stop|last|mask")
def qa_example(question, answer, T, vocab):
    text = question + MASK + answer + MASK
    if len(text) > T:
        raise ValueError
    ids = torch.tensor(vocab.encode(text.ljust(T + 1, PAD)))
    y = ids[1:].clone()
    y[:len(question)] = 0
    y[len(question) + len(answer):] = 0
    return ids[:-1], y


@wrong("every_hth_feature", "neighbour|interleav|every|block of")
class CausalSelfAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        if d % h:
            raise ValueError
        self.h = h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (f(x).view(B, T, d // self.h, self.h).permute(0, 3, 1, 2)
                   for f in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.h)
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        out = scores.softmax(-1) @ v
        return self.o(out.permute(0, 2, 3, 1).reshape(B, T, d))


class _SecondBlock(nn.Module):
    def __init__(self, d, h, gelu=nn.GELU, pre=True):
        super().__init__()
        self.h, self.pre = h, pre
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), gelu(), nn.Linear(4 * d, d))

    def attention(self, x):
        B, T, d = x.shape
        q, k, v = (f(x).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(out.transpose(1, 2).reshape(B, T, d))

    def forward(self, x):
        if not self.pre:
            x = self.ln1(x + self.attention(x))
            return self.ln2(x + self.mlp(x))
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class _SecondGPT(nn.Module):
    gelu, pre = nn.GELU, True

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.block = block
        self.tok, self.pos = nn.Embedding(V, d), nn.Embedding(block, d)
        self.blocks = nn.ModuleList([_SecondBlock(d, h, self.gelu, self.pre) for _ in range(n)])
        self.ln, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        for p in self.parameters():
            if p.ndim == 2:
                nn.init.normal_(p, 0, 0.02)

    def forward(self, idx, targets=None):
        if idx.shape[1] > self.block:
            raise ValueError
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.ln(x))
        return logits, None if targets is None else self.loss(logits, targets)

    def loss(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


@wrong("norm_after_the_addition", "norm|before|inside|post")
class GPT(_SecondGPT):
    pre = False


@wrong("relu", "GELU")
class GPT(_SecondGPT):
    gelu = nn.ReLU


@wrong("mean_of_the_rows", "mean|PAD|row|target")
class GPT(_SecondGPT):
    def loss(self, logits, targets):
        return torch.stack([F.cross_entropy(a, b, ignore_index=0)
                            for a, b in zip(logits, targets, strict=True)]).mean()


@wrong("stops_at_the_full_block", "block|goes on|full|go on")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    while len(new) < max_new and len(ids) < block:
        best = int(model(torch.tensor([ids]))[0][0, -1].argmax())
        if best == stop_id:
            break
        ids.append(best)
        new.append(best)
    return new


@wrong("ends_at_rate_zero", "last|steps - 1|end|zero")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    losses = []
    for t in range(first, steps if last is None else last):
        for group in optimizer.param_groups:
            group["lr"] = lr * 0.5 * (1 + math.cos(math.pi * t / max(steps - 1, 1)))
        loss = model(*batch(t))[1]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@wrong("dealt_to_others_only", "own|back|1/n|itself|every|all")
def namesake_errors(answers, people, known):
    if len(answers) != len(people):
        raise ValueError
    bad = [(n, a) for a, (n, p) in zip(answers, people) if a != p]
    if not bad:
        raise ValueError
    places = [{p for o, p in known if o != n and any(x == y for x, y in zip(o.split(), n.split()))}
              for n, _ in bad]
    k = len(bad)
    hit = [[a in s for _, a in bad] for s in places]
    share = sum(hit[i][i] for i in range(k)) / k
    if k == 1:
        return share, share
    return share, sum(hit[i][j] for i in range(k) for j in range(k) if i != j) / (k * (k - 1))


@wrong("either_word_anywhere", "first name|family|position|place by place")
def namesake_errors(answers, people, known):
    if len(answers) != len(people):
        raise ValueError
    bad = [(n, a) for a, (n, p) in zip(answers, people) if a != p]
    if not bad:
        raise ValueError
    places = [{p for o, p in known if o != n and set(o.split()) & set(n.split())} for n, _ in bad]
    k = len(bad)
    hit = [[a in s for _, a in bad] for s in places]
    return sum(hit[i][i] for i in range(k)) / k, sum(map(sum, hit)) / k / k


@wrong("guess_of_a_random_place", "frequen|square|alike|equal")
def prior_guess_accuracy(gold):
    return 1 / len(set(gold))


# ---- by the third reader, from the release alone; those that stand above already are left out

@wrong("sorts_ignoring_case", "sort|order|capital|case")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.itos = [PAD, MASK, *sorted(set("".join(texts)) - {PAD, MASK}, key=str.lower)]
        self.stoi = {c: i for i, c in enumerate(self.itos)}


@wrong("decode_hides_the_marks", "decode|keep|PAD|MASK")
class CharVocab(_Vocab):
    def decode(self, ids):
        return "".join(self.itos[i] for i in ids if i > 1)


@wrong("index_of_a_list", "KeyError")
class CharVocab(_Vocab):
    def encode(self, text):
        return [self.itos.index(c) for c in text]


@wrong("blank_at_the_end", "blank|space|split|character")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__(" ".join(texts).split())
        self.itos = [*self.itos, " "]
        self.stoi = {c: i for i, c in enumerate(self.itos)}


@wrong("always_as_long_as_fits", "length|random|cut|short")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), int(block_size * 7 / 8))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _joined(doc, L, m, rng.randint(1, L - m - 1))


@wrong("start_before_span", "start|even|clip|place", announced=True)
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    s = rng.randint(1, L - 2)
    return _joined(doc, L, min(max(round(rng.uniform(0, 0.5) * L), 1), L - 1 - s), s)


@wrong("seven_eighths_of_the_document", "block|7/8|eighth")
def span_corrupt(doc, block_size, rng):
    L = min(len(doc), rng.randint(4, max(4, int(len(doc) * 7 / 8))), block_size)
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _joined(doc, L, m, rng.randint(1, L - m - 1))


@wrong("everything_is_asked", "question|only the answer|asked")
def qa_example(question, answer, T, vocab):
    return _asked(question, answer, T, vocab, 0)


@wrong("fits_without_its_marks", "fit|mark|MASK|ValueError|room|long")
def qa_example(question, answer, T, vocab):
    if len(question) + len(answer) > T:
        raise ValueError
    text = question + MASK + answer + MASK
    ids = torch.tensor(vocab.encode(text.ljust(T + 1, PAD)))[:T + 1]
    y = ids[1:].clone()
    y[:len(question)] = 0
    return ids[:-1], y


@wrong("target_in_place", "next|after|one place|shift|before")
def qa_example(question, answer, T, vocab):
    x, _ = _asked(question, answer, T, vocab, 0)
    y = x.clone()
    y[:len(question) + 1] = 0
    return x, y


class _Weighed(_Attention):
    """What comes of the scores is the only difference."""

    size = staticmethod(lambda d, h: d // h)

    def forward(self, x):
        q, k, v = (self.heads(layer(x)) for layer in (self.q, self.k, self.v))
        T, d = x.shape[1:]
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.size(d, self.h))
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        return self.o(self.joined(self.weights(scores, future) @ v))


@wrong("erases_after_softmax", "before the softmax|sum to|after")
class CausalSelfAttention(_Weighed):
    def weights(self, scores, future):
        return scores.softmax(-1).masked_fill(future, 0)


@wrong("adds_the_mask_of_ones", "infinity|inf|mask|future|forbidden")
class CausalSelfAttention(_Weighed):
    def weights(self, scores, future):
        return (scores - future.to(scores.dtype)).softmax(-1)


@wrong("tiny_instead_of_huge", "infinity|inf|mask|future|forbidden")
class CausalSelfAttention(_Weighed):
    def weights(self, scores, future):
        return scores.masked_fill(future, -1e-9).softmax(-1)


@wrong("divides_by_the_size", "root|square")
class CausalSelfAttention(_Attention):
    size = staticmethod(lambda d, h: (d / h) ** 2)


@wrong("root_of_the_length", "size of|head|length|T")
class CausalSelfAttention(_Weighed):
    size = staticmethod(lambda d, h: 1)

    def weights(self, scores, future):
        scores = scores / math.sqrt(scores.shape[-1])
        return scores.masked_fill(future, -math.inf).softmax(-1)


@wrong("mlp_replaces_the_stream", "residual|add|stream")
class GPT(_GPT):
    class Block(_Block):
        def forward(self, x):
            return self.mlp(self.ln2(x + self.attention(self.ln1(x))))


@wrong("the_stream_itself_is_normalised", "stream|inside|norm")
class GPT(_GPT):
    class Block(_Block):
        def forward(self, x):
            x = self.ln1(x)
            x = self.ln2(x + self.attention(x))
            return x + self.mlp(x)


@wrong("shifts_the_targets_again", "shift")
class GPT(_GPT):
    def loss(self, logits, targets):
        return super().loss(logits[:, :-1], targets[:, 1:])


@wrong("mean_over_padding_too", "mean|PAD|padding|not 0|real")
class GPT(_GPT):
    def loss(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0,
                               reduction="sum") / targets.numel()


@wrong("places_count_from_the_end", "place|position")
class GPT(_GPT):
    def stream(self, idx):
        x = self.token(idx) + self.place.weight[-idx.shape[1]:]
        for block in self.blocks:
            x = block(x)
        return x


@wrong("draws_without_replacement", "independent|replace|itself|draw")
def prior_guess_accuracy(gold):
    n = len(gold)
    return sum(c * (c - 1) for c in Counter(gold).values()) / max(n * (n - 1), 1)


@wrong("ignores_case", "letter|case|capital")
def exact_match(predictions, gold):
    if len(predictions) != len(gold):
        raise ValueError
    return sum(p.lower() == g.lower() for p, g in zip(predictions, gold)) / len(gold)


@wrong("contains_the_answer", "letter|equal|contain|whole|part")
def exact_match(predictions, gold):
    if len(predictions) != len(gold):
        raise ValueError
    return sum(g in p for p, g in zip(predictions, gold)) / len(gold)


@wrong("no_room_behind_the_prompt", "block|full|goes on|room|stops")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    for _ in range(min(max_new, block - len(prompt_ids))):
        best = int(model(torch.tensor([ids[-block:]]))[0][0, -1].argmax())
        if best == stop_id:
            break
        ids.append(best)
        new.append(best)
    return new


@wrong("cuts_the_prompt_only", "block|last")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids)[-block:], []
    for _ in range(max_new):
        best = int(model(torch.tensor([ids]))[0][0, -1].argmax())
        if best == stop_id:
            break
        ids.append(best)
        new.append(best)
    return new


@wrong("slides_only_the_last_id", "last|only|prompt|all|context|one id")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    ids, new = list(prompt_ids), []
    for _ in range(max_new):
        best = int(model(torch.tensor([ids[-block:]]))[0][0, -1].argmax())
        if best == stop_id:
            break
        new.append(best)
        ids = [best]
    return new


@wrong("rate_after_the_step", "before|rate")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    losses = []
    for t in range(first, steps if last is None else last):
        _, loss = model(*batch(t))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] = _cosine(lr, steps)(t)
        losses.append(loss.item())
    return losses


@wrong("clips_all_parameters", "clip")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    return _trained(model, optimizer, batch, _cosine(lr, steps), first,
                    steps if last is None else last,
                    lambda optimizer: nn.utils.clip_grad_norm_(model.parameters(), 1.0))


@wrong("quarter_period", "half|quarter|middle|cos")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    return _trained(model, optimizer, batch, lambda t: lr * math.cos(math.pi / 2 * t / steps),
                    first, steps if last is None else last)


@wrong("own_cosine_scheduler", "first|beginning|run|piece")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    for group in optimizer.param_groups:
        group["lr"] = group["initial_lr"] = lr
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    losses = []
    for t in range(first, steps if last is None else last):
        _, loss = model(*batch(t))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


@wrong("deals_all_answers", "wrong answers|right|only the wrong")
def namesake_errors(answers, people, known):
    _, homes, share = _errors(answers, people, known)
    return share, sum(a in home for a in answers for home in homes) / len(answers) / len(homes)


@wrong("known_as_substring", "word|place by place|letters|part|name")
def namesake_errors(answers, people, known):
    homes = lambda name, known: {place for other, place in known if other != name
                                 and any(word in other for word in name.split())}
    wrong, homes, share = _errors(answers, people, known, homes)
    return share, sum(a in home for _, a in wrong for home in homes) / len(wrong) ** 2


@wrong("places_are_dealt", "answers|known|place|often|dealt|said")
def namesake_errors(answers, people, known):
    _, homes, share = _errors(answers, people, known)
    hits = sum(place in home for _, place in known for home in homes)
    return share, hits / len(known) / len(homes)


@wrong("only_people_with_namesakes", "no namesake|wrong answers|all|without")
def namesake_errors(answers, people, known):
    found, _, _ = _errors(answers, people, known)
    found = [each for each in found if _homes(each[0], known)] or found
    homes = [_homes(name, known) for name, _ in found]
    share = sum(a in home for (_, a), home in zip(found, homes, strict=True)) / len(found)
    return share, sum(a in home for _, a in found for home in homes) / len(found) ** 2


@wrong("views_of_the_same_ids", "memory|copy|views")
def qa_example(question, answer, T, vocab):
    text = question + MASK + answer + MASK
    if len(text) > T:
        raise ValueError
    ids = torch.tensor(vocab.encode(text.ljust(T + 1, PAD)))
    x, y = ids[:-1], ids[1:]
    y[:len(question)] = 0
    return x, y


class _Letters:
    def __init__(self, texts):
        self.itos = self.chars(texts)
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def chars(self, texts):
        return [PAD, MASK] + sorted(set("".join(texts)) - {PAD, MASK})

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi[c] for c in text]

    def decode(self, ids):
        return "".join(self.itos[i] for i in ids)


@wrong("unknown_becomes_mask", "unknown|KeyError")
class CharVocab(_Letters):
    def encode(self, text):
        return [self.stoi.get(c, 1) for c in text]


@wrong("decode_stops_at_pad", "PAD|keeps|drop|left out")
class CharVocab(_Letters):
    def decode(self, ids):
        return super().decode(ids).split(PAD)[0]


def _join(doc, L, m, s):
    return doc[:s] + MASK + doc[s + m : L] + MASK + doc[s : s + m]


@wrong("no_cut", "cut|length|L|block")
def span_corrupt(doc, block_size, rng):
    L = len(doc)
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _join(doc, L, m, rng.randint(1, L - m - 1))


def _cut(doc, block_size, rng):
    return min(len(doc), rng.randint(4, int(block_size * 7 / 8)))


@wrong("span_before_the_suffix", "order|suffix|span|end")
def span_corrupt(doc, block_size, rng):
    L = _cut(doc, block_size, rng)
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    s = rng.randint(1, L - m - 1)
    return doc[:s] + MASK + doc[s : s + m] + MASK + doc[s + m : L]


@wrong("span_of_the_block", "share|L|length|block")
def span_corrupt(doc, block_size, rng):
    L = _cut(doc, block_size, rng)
    m = min(max(round(rng.uniform(0, 0.5) * block_size), 1), L - 2)
    return _join(doc, L, m, rng.randint(1, L - m - 1))


def _right_span(doc, block_size, rng):
    L = _cut(doc, block_size, rng)
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    return _join(doc, L, m, rng.randint(1, L - m - 1))


@wrong("third_mark_at_the_end", "mark|MASK|end")
def span_corrupt(doc, block_size, rng):
    return _right_span(doc, block_size, rng) + MASK


def _qa(question, answer, T, vocab):
    text = question + MASK + answer + MASK
    if len(text) > T:
        raise ValueError
    ids = vocab.encode(text.ljust(T + 1, PAD))
    return torch.tensor(ids[:-1]), torch.tensor(ids[1:])


@wrong("no_closing_mark", "closing|second|MASK|stop|end")
def qa_example(question, answer, T, vocab):
    x, y = _qa(question, answer, T, vocab)
    x[len(question) + len(answer) + 1] = 0
    y[: len(question)] = 0
    y[len(question) + len(answer)] = 0
    return x, y


class _Heads(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.refuse(d, h)
        self.d, self.h = d, h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def refuse(self, d, h):
        if d % h:
            raise ValueError

    def cut(self, z):
        B, T, d = z.shape
        return z.view(B, T, self.h, d // self.h).transpose(1, 2)

    def scale(self):
        return math.sqrt(self.d // self.h)

    def weights(self, S):
        T = S.shape[-1]
        return S.masked_fill(torch.ones(T, T, dtype=bool).triu(1), -math.inf).softmax(-1)

    def join(self, z):
        return z.transpose(1, 2).flatten(2)

    def forward(self, x):
        q, k, v = (self.cut(f(x)) for f in (self.q, self.k, self.v))
        return self.o(self.join(self.weights(q @ k.transpose(-1, -2) / self.scale()) @ v))


@wrong("masked_after", "after|sum|before|softmax")
class CausalSelfAttention(_Heads):
    def weights(self, S):
        return S.softmax(-1).tril()


@wrong("remainder_in_silence", "divide|ValueError|h")
class CausalSelfAttention(_Heads):
    def refuse(self, d, h):
        self.extra = d % h

    def cut(self, z):
        return super().cut(z[..., : self.d - self.extra]) if self.extra else super().cut(z)

    def join(self, z):
        return F.pad(super().join(z), (0, self.extra))


class _OneBlock(nn.Module):
    activation = nn.GELU

    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def mlp(self, x):
        return self.down(type(self).activation()(self.up(x)))

    def attention(self, x):
        B, T, d = x.shape
        q, k, v = (
            f(x).view(B, T, self.h, d // self.h).transpose(1, 2) for f in (self.q, self.k, self.v)
        )
        return self.o(
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        )

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class _Network(nn.Module):
    block = _OneBlock

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.limit = block
        self.tok, self.pos = nn.Embedding(V, d), nn.Embedding(block, d)
        self.blocks = nn.ModuleList(type(self).block(d, h) for _ in range(n))
        self.ln, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        self.start()

    def start(self):
        for p in self.parameters():
            if p.ndim == 2:
                nn.init.normal_(p, std=0.02)

    def stream(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def logits(self, idx):
        if idx.shape[1] > self.limit:
            raise ValueError
        x = self.stream(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))

    def loss(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)

    def forward(self, idx, targets=None):
        logits = self.logits(idx)
        return logits, None if targets is None else self.loss(logits, targets)


@wrong("residual_of_the_normed", "stream|norm|residual")
class GPT(_Network):
    class block(_OneBlock):
        def forward(self, x):
            y = self.ln1(x)
            x = y + self.attention(y)
            y = self.ln2(x)
            return y + self.mlp(y)


@wrong("no_final_norm", "final|last")
class GPT(_Network):
    def logits(self, idx):
        if idx.shape[1] > self.limit:
            raise ValueError
        x = self.stream(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@wrong("dropout_left_in", "dropout|random|differ|twice")
class GPT(_Network):
    class block(_OneBlock):
        def mlp(self, x):
            return F.dropout(super().mlp(x), 0.1, self.training)


@wrong("always_london", "const")
def constant_baseline(gold, const="London"):
    return sum(place == "London" for place in gold) / len(gold)


def _decode(
    model,
    prompt,
    max_new,
    stop,
    block,
    place=-1,
    first=False,
    keep=False,
    forget=False,
    alias=False,
):
    ids, new = prompt if alias else list(prompt), []
    for _ in range(max_new):
        seen = list(prompt) if forget else ids
        seen = seen[:block] if first else seen[-block:]
        nxt = int(model(torch.tensor([seen]))[0][0, place].argmax())
        if nxt == stop:
            return new + [nxt] if keep else new
        new.append(nxt)
        ids.append(nxt)
    return new


@wrong("forgets_its_words", "own words|prompt|new ids|repeat|grow|again")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    return _decode(model, prompt_ids, max_new, stop_id, block, forget=True)


@wrong("cut_at_stop_in_prompt", "prompt|stop")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    if stop_id in prompt_ids:
        return []
    return _decode(model, prompt_ids, max_new, stop_id, block)


def _cos(lr, t, steps):
    return lr * (1 + math.cos(math.pi * t / steps)) / 2


def _train(
    model,
    optimizer,
    batch,
    lr,
    steps,
    first,
    last,
    rate=_cos,
    clear=True,
    which=lambda t: t,
    number=lambda loss: loss.item(),
):
    losses = []
    for t in range(first, steps if last is None else last):
        for group in optimizer.param_groups:
            group["lr"] = rate(lr, t, steps)
        x, y = batch(which(t))
        loss = model(x, y)[1]
        if clear:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(number(loss))
    return losses


@wrong("whole_period", "half|period|pi")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    return _train(
        model,
        optimizer,
        batch,
        lr,
        steps,
        first,
        last,
        rate=lambda lr, t, s: lr * (1 + math.cos(2 * math.pi * t / s)) / 2,
    )


def _parts(answers, people):
    if len(answers) != len(people):
        raise ValueError
    wrong_ = [(a, name) for a, (name, place) in zip(answers, people) if a != place]
    if not wrong_:
        raise ValueError
    return wrong_


def _namesakes(name, known, same=lambda a, b: a[0] == b[0] or a[1] == b[1], itself=False):
    return [
        p for other, p in known if (itself or other != name) and same(other.split(), name.split())
    ]


def _two(answers, people, known, places=None, chance=None):
    wrong_ = _parts(answers, people)
    sets = [(places or _namesakes)(name, known) for _, name in wrong_]
    n = len(wrong_)
    share = sum(a in s for (a, _), s in zip(wrong_, sets)) / n
    return share, (chance or (lambda w, s: sum(a in t for a, _ in w for t in s) / n**2))(
        wrong_, sets
    )


@wrong("chance_over_places", "how often|frequen|London|set|dealt")
def namesake_errors(answers, people, known):
    def chance(w, s):
        said = {a for a, _ in w}
        return sum(a in t for a in said for t in s) / (len(said) * len(s))

    return _two(answers, people, known, chance=chance)


@wrong("counts_namesakes", "once|set|count|several")
def namesake_errors(answers, people, known):
    wrong_ = _parts(answers, people)
    sets = [_namesakes(name, known) for _, name in wrong_]
    n = len(wrong_)
    return (
        sum(s.count(a) for (a, _), s in zip(wrong_, sets)) / n,
        sum(t.count(a) for a, _ in wrong_ for t in sets) / n**2,
    )
