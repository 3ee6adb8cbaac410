"""Probes of the homework `pretraining`."""

from viva.voce.probes import probe

probe("CharVocab", """
vocab = CharVocab(["{a:ab|cab|bb}", "{b:da|b|ce}"])
vocab.encode("{c:ab|ba|bab}")
""")
probe("CharVocab", """
vocab = CharVocab(["{a:ab|cab|bb}", "{b:da|b|ce}"])
vocab.decode([{c:2|3}, 3, {d:2|3}])
""")
probe("qa_example", """
vocab = CharVocab(["abcd"])
x, y = qa_example("{q:ab|a|c}", "{a:d|da|b}", 6, vocab)
y
""")
probe("CausalSelfAttention", """
layer = CausalSelfAttention(6, 2)
layer(torch.ones(4, 5, 6))
""")
probe("CausalSelfAttention", """
layer = CausalSelfAttention(1, 1).double()
for part, weight in zip((layer.q, layer.k, layer.v, layer.o), ({a:0|1}, 1, {b:+}, 1)):
    part.weight.data.fill_(weight), part.bias.data.zero_()
layer(torch.log(torch.tensor([[[{c:+}.0], [{d:+}.0], [{e:+}.0]]], dtype=torch.float64))).exp()
""")
probe("CausalSelfAttention", """
layer = CausalSelfAttention(1, 1).double()
for part, weight in zip((layer.q, layer.k, layer.v, layer.o), (0, {a}, {b:+}, 1)):
    part.weight.data.fill_(weight), part.bias.data.fill_({c:0|1})
layer(torch.tensor([[[{d}.0], [{e}.0], [{f}.0]]], dtype=torch.float64))[0, :, 0]
""")
probe("GPT", """
model = GPT(7, 6, d=8, h=2, n=1)
model(torch.tensor([[1, 2, 3, 4], [0, 5, 6, 0]]))[0]
""")
probe("exact_match", """
gold = ["Rome", "{c:Oslo|Rome}", "Ulm", "{d:Lima|Pisa}"]
exact_match(["{a:Rome|Oslo}", "Oslo", "{b:Ulm|ulm}", "Pisa"], gold)
""")
probe("exact_match", """
gold = ["{a:London|Oslo}", "{b:Ulm|London}", "{c:London|Rome}", "Rome", "{d:London|Oslo}"]
constant_baseline(gold)
""")
probe("exact_match", """
prior_guess_accuracy(["{a:Rome|Ulm}", "{b:Oslo|Rome}", "{c:Ulm|Rome}", "{d:Rome|Ulm}"])
""")
probe("greedy_decode", """
table = torch.eye(5)[[{a:1|2}, {b:2|3|4}, {c:3|1|4}, {d:1|2|4}, 0]]
model = lambda ids: (table[ids], None)
greedy_decode(model, [{e:0|1|2}, {f:0|1|2}], {m:3|4}, stop_id=4, block={n:2|3})
""")
probe("greedy_decode", """
model = lambda ids: (torch.eye(9)[ids.cumsum(dim=1) % 9], None)
greedy_decode(model, [{a:1|2|3}, {b:1|2}], {m:3|4}, stop_id=8, block={n:2|3})
""")
probe("train_gpt", """
p = torch.nn.Parameter(torch.tensor({a}.0, dtype=torch.float64))
sgd = torch.optim.SGD([p], lr=9.0)
train_gpt(lambda x, y: (None, x * p), sgd, lambda t: (t + {b:1|2}, None), {r:1|2}.0, 2)
""")
probe("train_gpt", """
p = torch.nn.Parameter(torch.tensor({a}.0, dtype=torch.float64))
sgd = torch.optim.SGD([p], lr=9.0)
train_gpt(lambda x, y: (None, x * p), sgd, lambda t: (t + {b:1|2}, None), {r:1|2}.0, 3)
""")
