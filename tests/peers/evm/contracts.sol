// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Token {
    function transfer(address to, uint256 atoms) external returns (bool);
    function transferFrom(address from, address to, uint256 atoms) external returns (bool);
}

/// A wallet whose orders its owner signs (EIP-1271).
contract Wallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Swaps tokens at the amounts that the caller names.
contract Pool {
    function swap(Token sold, uint256 paid, Token bought, uint256 received) external {
        require(sold.transferFrom(msg.sender, address(this), paid), "no payment");
        require(bought.transfer(msg.sender, received), "no funds");
    }
}

/// Calls what traders request, in its own name.
contract HooksTrampoline {
    struct Hook {
        address target;
        bytes callData;
        uint256 gasLimit;
    }

    event Called(address target);

    function execute(Hook[] calldata hooks) external {
        for (uint256 i = 0; i < hooks.length; i++) {
            (bool success, ) = hooks[i].target.call{gas: hooks[i].gasLimit}(hooks[i].callData);
            if (success) emit Called(hooks[i].target);
        }
    }
}

/// The wrapped native token, with the events of WETH9.
contract WrappedNative {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Approval(address indexed src, address indexed guy, uint256 wad);
    event Transfer(address indexed src, address indexed dst, uint256 wad);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) external {
        balanceOf[msg.sender] -= wad;
        (bool success, ) = msg.sender.call{value: wad}("");
        require(success, "not taken");
        emit Withdrawal(msg.sender, wad);
    }

    function approve(address guy, uint256 wad) external returns (bool) {
        allowance[msg.sender][guy] = wad;
        emit Approval(msg.sender, guy, wad);
        return true;
    }

    function transfer(address dst, uint256 wad) external returns (bool) {
        return move(msg.sender, dst, wad);
    }

    function transferFrom(address src, address dst, uint256 wad) external returns (bool) {
        allowance[src][msg.sender] -= wad;
        return move(src, dst, wad);
    }

    function move(address src, address dst, uint256 wad) private returns (bool) {
        balanceOf[src] -= wad;
        balanceOf[dst] += wad;
        emit Transfer(src, dst, wad);
        return true;
    }
}

/// What settlements ask of the Balancer vault: balances inside it, and approved relayers.
contract Vault {
    mapping(address => mapping(address => bool)) public hasApprovedRelayer;
    mapping(address => mapping(address => uint256)) private balances;

    function setRelayerApproval(address sender, address relayer, bool approved) external {
        require(sender == msg.sender, "not the sender");
        hasApprovedRelayer[sender][relayer] = approved;
    }

    function deposit(Token token, uint256 atoms) external {
        require(token.transferFrom(msg.sender, address(this), atoms), "no payment");
        balances[msg.sender][address(token)] += atoms;
    }

    function getInternalBalance(address user, address[] memory tokens) external view returns (uint256[] memory) {
        uint256[] memory found = new uint256[](tokens.length);
        for (uint256 i = 0; i < tokens.length; i++) found[i] = balances[user][tokens[i]];
        return found;
    }
}

/// Calls several contracts in the state of one block, as the Multicall3 contract.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || calls[i].allowFailure, "Multicall3: call failed");
        }
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }
}

/// Answers whether a signature is valid as its first byte says: rightly, wrongly, or not at all.
contract OddWallet {
    address private immutable settlement;

    constructor(address settlement_) {
        settlement = settlement_;
    }

    function isValidSignature(bytes32, bytes calldata signature) external view {
        uint8 mode = uint8(signature[0]);
        bytes32 magic = bytes32(bytes4(0x1626ba7e));
        bytes32 word = magic;
        uint256 length = 32;
        if (mode == 1) word = bytes32(bytes4(0xffffffff));
        if (mode == 2) word = bytes32(0);
        if (mode == 3) word = magic | bytes32(uint256(1));
        if (mode == 4) word = bytes32(uint256(1));
        if (mode == 5) word = bytes32(uint256(0x1626ba7e));
        if (mode == 6) length = 4;
        if (mode == 7) length = 0;
        if (mode == 8) length = 64;
        if (mode == 9) revert("not mine");
        if (mode == 10) word = bytes32(bytes4(0x20c13b0b));
        if (mode == 11 && msg.sender != settlement) word = bytes32(0);
        if (mode == 12) assembly { invalid() }
        assembly {
            mstore(0, word)
            mstore(32, 0)
            return(0, length)
        }
    }
}

interface Settlement {
    function domainSeparator() external view returns (bytes32);
    function vaultRelayer() external view returns (address);
    function filledAmount(bytes calldata uid) external view returns (uint256);
}

/// Places orders that sell the native token, with the functions and events of the EthFlow contracts.
contract EthFlow {
    struct Data {
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        bytes32 appData;
        uint256 feeAmount;
        uint32 validTo;
        bool partiallyFillable;
        int64 quoteId;
    }

    struct Order {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        uint32 validTo;
        bytes32 appData;
        uint256 feeAmount;
        bytes32 kind;
        bool partiallyFillable;
        bytes32 sellTokenBalance;
        bytes32 buyTokenBalance;
    }

    struct Signature {
        uint8 scheme;
        bytes data;
    }

    struct Placed {
        address owner;
        uint32 validTo;
    }

    event OrderPlacement(address indexed sender, Order order, Signature signature, bytes data);
    event OrderInvalidation(bytes orderUid);
    event OrderRefund(bytes orderUid, address indexed refunder);

    Settlement private immutable settlement;
    WrappedNative private immutable wrapped;
    mapping(bytes32 => Placed) public orders;

    constructor(Settlement settlement_, WrappedNative wrapped_) {
        settlement = settlement_;
        wrapped = wrapped_;
        wrapped_.approve(settlement_.vaultRelayer(), type(uint256).max);
    }

    receive() external payable {}

    function wrapAll() external {
        wrapped.deposit{value: address(this).balance}();
    }

    function createOrder(Data calldata data) external payable returns (bytes32 digest) {
        require(msg.value == data.sellAmount + data.feeAmount, "other value");
        digest = digestOf(data);
        require(orders[digest].owner == address(0), "placed already");
        orders[digest] = Placed(msg.sender, data.validTo);
        emit OrderPlacement(
            msg.sender,
            signedOf(data),
            Signature(0, abi.encodePacked(address(this))),
            abi.encodePacked(data.quoteId, data.validTo)
        );
    }

    function invalidateOrdersIgnoringNotAllowed(Data[] calldata many) external {
        for (uint256 i = 0; i < many.length; i++) invalidate(many[i], false);
    }

    function invalidateOrder(Data calldata data) external {
        invalidate(data, true);
    }

    function isValidSignature(bytes32 digest, bytes calldata) external view returns (bytes4) {
        Placed memory placed = orders[digest];
        bool isLive = placed.owner != address(0) && placed.owner != address(type(uint160).max);
        return isLive && placed.validTo >= block.timestamp ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function invalidate(Data calldata data, bool isNeeded) private {
        bytes32 digest = digestOf(data);
        Placed memory placed = orders[digest];
        bool isLive = placed.validTo >= block.timestamp;
        bool isOpen = placed.owner != address(0) && placed.owner != address(type(uint160).max);
        if (!isOpen || (isLive && placed.owner != msg.sender)) {
            require(!isNeeded, "not allowed");
            return;
        }
        orders[digest].owner = address(type(uint160).max);
        bytes memory uid = abi.encodePacked(digest, address(this), type(uint32).max);
        if (isLive) emit OrderInvalidation(uid);
        else emit OrderRefund(uid, msg.sender);
        uint256 filled = settlement.filledAmount(uid);
        uint256 refund = data.sellAmount - filled + data.feeAmount - (data.feeAmount * filled) / data.sellAmount;
        if (address(this).balance < refund) wrapped.withdraw(refund - address(this).balance);
        (bool success, ) = placed.owner.call{value: refund}("");
        require(success, "not taken");
    }

    function signedOf(Data calldata data) private view returns (Order memory) {
        return Order(
            address(wrapped),
            data.buyToken,
            data.receiver,
            data.sellAmount,
            data.buyAmount,
            type(uint32).max,
            data.appData,
            data.feeAmount,
            keccak256("sell"),
            data.partiallyFillable,
            keccak256("erc20"),
            keccak256("erc20")
        );
    }

    function digestOf(Data calldata data) private view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)"
        );
        bytes32 hash = keccak256(abi.encode(typeHash, signedOf(data)));
        return keccak256(abi.encodePacked(hex"1901", settlement.domainSeparator(), hash));
    }
}

/// Allows programmatic orders and says so, as ComposableCoW does; they start when they are allowed.
contract ProgrammaticOrders {
    struct Params {
        address handler;
        bytes32 salt;
        bytes staticInput;
    }

    event ConditionalOrderCreated(address indexed owner, Params params);

    mapping(address => mapping(bytes32 => bool)) public singleOrders;
    mapping(address => mapping(bytes32 => bytes32)) public cabinet;

    function create(Params calldata params) external {
        bytes32 id = keccak256(abi.encode(params));
        singleOrders[msg.sender][id] = true;
        cabinet[msg.sender][id] = bytes32(block.timestamp);
        emit ConditionalOrderCreated(msg.sender, params);
    }

    function remove(bytes32 id) external {
        delete singleOrders[msg.sender][id];
        delete cabinet[msg.sender][id];
    }
}

/// Knows the proxy of an account.
contract ProxyFactory {
    mapping(address => address) public proxyOf;

    function setProxy(address proxy) external {
        proxyOf[msg.sender] = proxy;
    }
}
